import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { CacheInvalidationBus } from '@quire/jobs';
import { declareOperation, Input, type InputOf, Operation, rowId } from '@quire/operation';
import { z } from 'zod';
import { AuditLog } from '../../audit/index.js';
import { createApiToken, listApiTokens, revokeApiToken } from './api-tokens.operations.js';
import { createTokenBody, tokenInfoSchema } from './api-tokens.schemas.js';

const shared = {
  tag: 'Tokens',
  access: 'auth:manage_connections',
  scope: 'admin',
  isDocumented: false,
} as const;

const list = declareOperation({
  ...shared,
  id: 'listApiTokens',
  method: 'GET',
  path: 'admin/api-tokens',
  summary: "List the caller's personal access tokens",
  response: z.object({ items: z.array(tokenInfoSchema) }),
});

const create = declareOperation({
  ...shared,
  id: 'createApiToken',
  // A token cannot create tokens: after a leak, revoking it would not be enough.
  reauthentication: 'recent-session',
  method: 'POST',
  path: 'admin/api-tokens',
  availableDuringImport: true,
  summary: 'Create a personal access token',
  body: createTokenBody,
  status: 201,
  response: z.object({ token: z.string(), info: tokenInfoSchema }),
});

const revoke = declareOperation({
  ...shared,
  id: 'revokeApiToken',
  method: 'DELETE',
  path: 'admin/api-tokens/:id',
  availableDuringImport: true,
  summary: 'Revoke a personal access token',
  params: z.object({ id: rowId }),
  response: z.object({ revoked: z.literal(true) }),
  errors: ['NOT_FOUND'],
});

/** Personal access tokens of the caller (contract 31). */
@Controller()
export class ApiTokensController {
  constructor(
    @Inject(CacheInvalidationBus) readonly relay: CacheInvalidationBus,
    @Inject(AuditLog) readonly audit: AuditLog,
  ) {}

  @Operation(list)
  async list(@Ctx() ctx: Context) {
    return { items: await listApiTokens(ctx) };
  }

  @Operation(create)
  async create(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof create>) {
    const { text, token } = await createApiToken(ctx, this.audit, body);
    return { token: text, info: token };
  }

  @Operation(revoke)
  async revoke(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof revoke>) {
    await revokeApiToken(ctx, this, params.id);
    return { revoked: true };
  }
}
