import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { AuditLog } from '../../../audit/index.js';
import type { ApiToken } from '../api-token.entity.js';
import type { CreateTokenBody } from '../tokens.schemas.js';
import { createToken } from './create-token.js';

/**
 * Makes a token of the caller.
 * @returns the token's text, which is never shown again, and its stored record.
 * @throws QuireError FORBIDDEN for a caller who is no user, VALIDATION_ERROR (scope, expiry).
 */
export async function createApiToken(
  ctx: Context,
  audit: AuditLog,
  { name, scopes, expiresAt }: CreateTokenBody,
): Promise<{ text: string; token: ApiToken }> {
  const { userId } = ctx.principal;
  if (userId === null) throw new QuireError('FORBIDDEN', 'Sign in to create a token');
  return ctx.db.transaction(async (tx) => {
    const expiry = expiresAt === undefined ? undefined : new Date(expiresAt);
    const made = await createToken(tx, { name, scopes, userId, expiresAt: expiry });
    const { id } = made.token;
    await audit.record(tx, {
      by: ctx,
      action: 'token.created',
      target: { type: 'token', id },
      userId,
      details: { scopes, expiresAt: expiry?.toISOString() ?? null },
    });
    return made;
  });
}
