import { Controller, Header } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { OAuthDeps } from '../oauth-deps.js';
import { noStoreHeaders, mapProtocolError } from '../protocol.js';
import { revokeOAuthToken } from './tokens.operations.js';
import { grantTokens } from './operations/grant-tokens.js';
import { refreshOAuthToken } from './operations/refresh-oauth-token.js';
import { refreshBody, revokeBody, tokenResponseSchema, tokenBody } from './tokens.schemas.js';

const shared = {
  method: 'POST',
  tag: 'OAuth',
  access: 'public',
  scope: null,
  isDocumented: false,
  bodyFormats: ['form', 'json'],
  underEdgeAccess: 'public',
  // Clients may send the expired access token along (mcp-tools 15).
  ignoresCredentials: true,
  availableDuringImport: true,
} as const;

const token = declareOperation({
  ...shared,
  id: 'oauthToken',
  path: 'oauth/token',
  summary: 'Issue tokens',
  body: tokenBody,
  envelope: false,
  mapError: mapProtocolError('invalid_request'),
  crossOrigin: true,
  response: tokenResponseSchema,
});

const refresh = declareOperation({
  ...shared,
  id: 'refreshOAuthToken',
  path: 'oauth/token/refresh',
  summary: 'Refresh an access token',
  body: refreshBody,
  response: tokenResponseSchema,
  errors: ['INVALID_GRANT', 'INVALID_SCOPE'],
});

const revoke = declareOperation({
  ...shared,
  id: 'revokeOAuthToken',
  path: 'oauth/token/revoke',
  summary: 'Revoke a token',
  body: revokeBody,
  response: z.object({ revoked: z.literal(true) }),
});

/** The token endpoint and its convenience forms (contract 32). */
@Controller()
export class OAuthTokensController {
  constructor(private readonly deps: OAuthDeps) {}

  @Operation(token)
  @Header('cache-control', noStoreHeaders['cache-control'])
  @Header('pragma', noStoreHeaders.pragma)
  oauthToken(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof token>) {
    return grantTokens(ctx, this.deps, body);
  }

  @Operation(refresh)
  refresh(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof refresh>) {
    const { refresh_token: refreshToken, client_id: clientId, scope } = body;
    return refreshOAuthToken(ctx, this.deps, { refreshToken, clientId, scope });
  }

  @Operation(revoke)
  async revoke(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof revoke>) {
    await revokeOAuthToken(ctx, this.deps, body.token);
    return { revoked: true };
  }
}
