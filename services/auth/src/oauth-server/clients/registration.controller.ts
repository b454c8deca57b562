import { Controller, Header } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { OAuthDeps } from '../oauth-deps.js';
import { noStoreHeaders, mapProtocolError } from '../protocol.js';
import { registrationBody, type Client, type Registration } from './clients.schemas.js';
import { registerOAuthClient } from './operations/register-oauth-client.js';

const register = declareOperation({
  id: 'registerOAuthClient',
  method: 'POST',
  path: 'oauth/register',
  summary: 'Register an application dynamically',
  tag: 'OAuth',
  access: 'public',
  scope: null,
  isDocumented: false,
  body: registrationBody,
  status: 201,
  envelope: false,
  mapError: mapProtocolError('invalid_client_metadata'),
  crossOrigin: true,
  ignoresCredentials: true,
  response: z.object({ client_id: z.string() }),
});

/** Dynamic registration (RFC 7591; contract 32). */
@Controller()
export class OAuthRegistrationController {
  constructor(private readonly deps: OAuthDeps) {}

  @Operation(register)
  @Header('cache-control', noStoreHeaders['cache-control'])
  @Header('pragma', noStoreHeaders.pragma)
  async register(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof register>) {
    return toRegistrationResponse(await registerOAuthClient(ctx, this.deps, body), body);
  }
}

function toRegistrationResponse(
  { id, name, redirectUris, scopes, createdAt }: Client,
  requested: Registration,
) {
  return {
    client_id: id,
    client_id_issued_at: Math.floor(Date.parse(createdAt) / 1000),
    redirect_uris: redirectUris,
    client_name: name,
    grant_types: requested.grant_types,
    response_types: requested.response_types,
    token_endpoint_auth_method: requested.token_endpoint_auth_method,
    ...(scopes ? { scope: scopes.join(' ') } : {}),
  };
}
