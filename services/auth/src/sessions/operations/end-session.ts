import type { Context } from '@quire/context';
import type { Sql } from '@quire/database';
import { notFound } from '@quire/errors';
import type { CacheRelay } from '@quire/messages';

/** Signs the caller's session out. Without one, nothing happens. */
export async function endOwnSession(ctx: Context, relay: CacheRelay): Promise<void> {
  const { sessionId, tenant } = ctx.principal;
  if (sessionId === undefined) return;
  await ctx.db.query('DELETE FROM sessions WHERE id = $1', [sessionId]);
  relay.drop('credentials', tenant.id);
}

/** Ends one of the caller's sessions, wherever it is open. @throws QuireError NOT_FOUND */
export async function endSession(ctx: Context, relay: CacheRelay, id: string): Promise<void> {
  const { userId, tenant } = ctx.principal;
  const ended = await ctx.db.query('DELETE FROM sessions WHERE id = $1 AND user_id = $2 RETURNING id', [
    id,
    userId,
  ]);
  if (ended.length === 0) throw notFound('session');
  relay.drop('credentials', tenant.id);
}

/**
 * Ends all sessions of a user, but for one. The caller drops the cached credentials of the tenant after the commit.
 * @param keptSessionId the session that goes on, where the user does this to the others
 */
export async function endSessionsOf(tx: Sql, userId: string, keptSessionId?: string): Promise<void> {
  await tx.query('DELETE FROM sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2', [
    userId,
    keptSessionId ?? null,
  ]);
}
