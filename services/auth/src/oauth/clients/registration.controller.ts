import { Controller, Header } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { OAuthServices } from '../oauth-services.js';
import { neverStored, protocolRefusal } from '../protocol.js';
import { registrationBody, type Client, type Registration } from './clients.schemas.js';
import { registerClient } from './operations/register-client.js';

const register = declareOperation({
  id: 'registerOAuthClient',
  method: 'POST',
  path: 'oauth/register',
  summary: 'Register an application that introduces itself',
  tag: 'OAuth',
  access: 'public',
  scope: null,
  documented: false,
  body: registrationBody,
  status: 201,
  bare: true,
  refusal: protocolRefusal('invalid_client_metadata'),
  crossOrigin: true,
  response: z.object({ client_id: z.string() }),
});

/** Dynamic registration (RFC 7591; contract 32). */
@Controller()
export class OAuthRegistrationController {
  constructor(private readonly services: OAuthServices) {}

  @Operation(register)
  @Header('cache-control', neverStored['cache-control'])
  @Header('pragma', neverStored.pragma)
  async register(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof register>) {
    return registered(await registerClient(ctx, this.services, body), body);
  }
}

function registered({ id, name, redirectUris, scopes, createdAt }: Client, asked: Registration) {
  return {
    client_id: id,
    client_id_issued_at: Math.floor(Date.parse(createdAt) / 1000),
    redirect_uris: redirectUris,
    client_name: name,
    grant_types: asked.grant_types,
    response_types: asked.response_types,
    token_endpoint_auth_method: asked.token_endpoint_auth_method,
    ...(scopes ? { scope: scopes.join(' ') } : {}),
  };
}
