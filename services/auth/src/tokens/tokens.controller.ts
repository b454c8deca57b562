import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { CacheRelay } from '@quire/messages';
import { declareOperation, Input, type InputOf, Operation, rowId } from '@quire/operation';
import { z } from 'zod';
import { AuditLog } from '../audit/index.js';
import type { ApiToken } from './api-token.entity.js';
import { createOwnToken } from './operations/create-own-token.js';
import { listTokens } from './operations/list-tokens.js';
import { revokeToken } from './operations/revoke-token.js';
import { createTokenBody, tokenInfoSchema } from './tokens.schemas.js';

const shared = {
  tag: 'Tokens',
  access: 'auth:manage_connections',
  scope: 'admin',
  documented: false,
} as const;

const listApiTokens = declareOperation({
  ...shared,
  id: 'listApiTokens',
  method: 'GET',
  path: 'admin/api-tokens',
  summary: "The caller's personal access tokens",
  response: z.object({ items: z.array(tokenInfoSchema) }),
});

const createApiToken = declareOperation({
  ...shared,
  id: 'createApiToken',
  // A leaked token must not be able to breed others.
  reauthentication: 'recent-session',
  method: 'POST',
  path: 'admin/api-tokens',
  summary: 'Create a personal access token',
  body: createTokenBody,
  status: 201,
  response: z.object({ token: z.string(), info: tokenInfoSchema }),
});

const revokeApiToken = declareOperation({
  ...shared,
  id: 'revokeApiToken',
  method: 'DELETE',
  path: 'admin/api-tokens/:id',
  summary: 'Revoke a personal access token',
  params: z.object({ id: rowId }),
  response: z.object({ revoked: z.literal(true) }),
  errors: ['NOT_FOUND'],
});

/** Personal access tokens of the signed-in administrator (contract 31). */
@Controller()
export class TokensController {
  constructor(
    @Inject(CacheRelay) readonly relay: CacheRelay,
    @Inject(AuditLog) readonly audit: AuditLog,
  ) {}

  @Operation(listApiTokens)
  async list(@Ctx() ctx: Context) {
    return { items: (await listTokens(ctx)).map(tokenInfo) };
  }

  @Operation(createApiToken)
  async create(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof createApiToken>) {
    const { text, token } = await createOwnToken(ctx, this.audit, body);
    return { token: text, info: tokenInfo(token) };
  }

  @Operation(revokeApiToken)
  async revoke(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof revokeApiToken>) {
    await revokeToken(ctx, this, params.id);
    return { revoked: true };
  }
}

function tokenInfo({ id, name, prefix, scopes, userId, expiresAt, lastUsedAt, createdAt }: ApiToken) {
  return {
    id,
    name,
    prefix,
    scopes,
    userId,
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
