import { Controller, Header } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { OAuthServices } from '../oauth-services.js';
import { neverStored, protocolRefusal } from '../protocol.js';
import { revokeOAuthToken } from './operations/end-grants.js';
import { grantTokens } from './operations/grant-tokens.js';
import { refreshTokens } from './operations/refresh-tokens.js';
import { refreshBody, revokeBody, tokenAnswerSchema, tokenBody } from './tokens.schemas.js';

const shared = {
  method: 'POST',
  tag: 'OAuth',
  access: 'public',
  scope: null,
  documented: false,
  bodyFormats: ['form', 'json'],
} as const;

const token = declareOperation({
  ...shared,
  id: 'oauthToken',
  path: 'oauth/token',
  summary: 'A code, a refresh token or a device code for tokens',
  body: tokenBody,
  bare: true,
  refusal: protocolRefusal('invalid_request'),
  crossOrigin: true,
  response: tokenAnswerSchema,
});

const refresh = declareOperation({
  ...shared,
  id: 'refreshOAuthToken',
  path: 'oauth/token/refresh',
  summary: 'A new access token for a refresh token',
  body: refreshBody,
  response: tokenAnswerSchema,
  errors: ['INVALID_GRANT', 'INVALID_SCOPE'],
});

const revoke = declareOperation({
  ...shared,
  id: 'revokeOAuthToken',
  path: 'oauth/token/revoke',
  summary: 'End a token',
  body: revokeBody,
  response: z.object({ revoked: z.literal(true) }),
});

/** The token endpoint and its convenience forms (contract 32). */
@Controller()
export class OAuthTokensController {
  constructor(private readonly services: OAuthServices) {}

  @Operation(token)
  @Header('cache-control', neverStored['cache-control'])
  @Header('pragma', neverStored.pragma)
  token(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof token>) {
    return grantTokens(ctx, this.services, body);
  }

  @Operation(refresh)
  refresh(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof refresh>) {
    const { refresh_token: refreshToken, client_id: clientId, scope } = body;
    return refreshTokens(ctx, this.services, { refreshToken, clientId, scope });
  }

  @Operation(revoke)
  async revoke(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof revoke>) {
    await revokeOAuthToken(ctx, this.services, body.token);
    return { revoked: true };
  }
}
