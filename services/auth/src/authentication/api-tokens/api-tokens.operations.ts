import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import type { CacheInvalidationBus } from '@quire/jobs';
import { isScope } from '@quire/permissions';
import type { AuditLog } from '../../audit/index.js';
import { generateApiToken } from './api-token-generator.js';
import {
  deleteApiToken,
  insertApiToken,
  selectApiTokens,
  type ApiTokenRow,
} from './api-tokens.repository.js';
import type { CreateTokenBody } from './api-tokens.schemas.js';

/** A personal access token to create. */
export interface NewToken {
  userId: string;
  name: string;
  scopes: readonly string[];
  expiresAt?: Date | undefined;
}

/** A created token. The response contains its text once; only its hash is stored. */
export interface CreatedToken {
  text: string;
  token: ApiTokenRow;
}

/** @returns the caller's own tokens, newest first, without their texts (contract 31). */
export function listApiTokens(ctx: Context): Promise<ApiTokenRow[]> {
  return selectApiTokens(ctx.db, ctx.principal.userId);
}

/**
 * Creates a token of the caller (contract 31).
 * @returns the token with its text.
 * @throws QuireError FORBIDDEN for a caller without a user, VALIDATION_ERROR (scope, expiry).
 */
export async function createApiToken(
  ctx: Context,
  audit: AuditLog,
  { name, scopes, expiresAt }: CreateTokenBody,
): Promise<CreatedToken> {
  const { userId } = ctx.principal;
  if (userId === null) throw new QuireError('FORBIDDEN', 'Sign in to create a token');
  return ctx.db.transaction(async (tx) => {
    const expiry = expiresAt === undefined ? undefined : new Date(expiresAt);
    const created = await createToken(tx, { name, scopes, userId, expiresAt: expiry });
    await audit.record(tx, {
      by: ctx,
      action: 'token.created',
      target: { type: 'token', id: created.token.id },
      userId,
      details: { scopes, expiresAt: expiry?.toISOString() ?? null },
    });
    return created;
  });
}

/**
 * Creates a personal access token. A scope above the user's role is accepted: the role limits every use
 * (decision 32).
 * @throws QuireError VALIDATION_ERROR for an unknown scope or an expiry in the past.
 */
export async function createToken(
  tx: Queryable,
  { userId, name, scopes, expiresAt }: NewToken,
): Promise<CreatedToken> {
  const unknown = scopes.filter((scope) => !isScope(scope));
  if (unknown.length > 0) throw new QuireError('VALIDATION_ERROR', `scopes: unknown ${unknown.join(', ')}`);
  if (expiresAt && expiresAt.getTime() <= Date.now())
    throw new QuireError('VALIDATION_ERROR', 'expiresAt: must be in the future');
  const { text, prefix, hash } = generateApiToken();
  const token = await insertApiToken(tx, {
    userId,
    name,
    prefix,
    tokenHash: hash,
    scopes: [...scopes],
    expiresAt: expiresAt?.toISOString() ?? null,
  });
  return { text, token };
}

/**
 * Revokes one of the caller's tokens (contract 31). Gateways invalidate their caches after the commit.
 * @throws QuireError NOT_FOUND when the caller has no such token.
 */
export async function revokeApiToken(
  ctx: Context,
  { relay, audit }: { relay: CacheInvalidationBus; audit: AuditLog },
  id: string,
): Promise<void> {
  const { tenant, userId } = ctx.principal;
  await ctx.db.transaction(async (tx) => {
    if (!(await deleteApiToken(tx, id, userId))) throw notFound('token');
    await audit.record(tx, {
      by: ctx,
      action: 'token.revoked',
      target: { type: 'token', id },
      userId: userId ?? undefined,
    });
    tx.afterCommit(() => relay.invalidate('credentials', tenant.id, userId ?? undefined));
  });
}
