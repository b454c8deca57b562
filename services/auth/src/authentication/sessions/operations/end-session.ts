import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { notFound } from '@quire/errors';
import type { CacheInvalidationBus } from '@quire/messages';
import type { AuditLog } from '../../../audit/index.js';

/** Dependencies of the session operations. */
interface SessionDeps {
  relay: CacheInvalidationBus;
  audit: AuditLog;
}

/** Signs the caller's session out. Without one, nothing happens. */
export async function signOut(ctx: Context, deps: SessionDeps): Promise<void> {
  const { sessionId } = ctx.principal;
  if (sessionId !== undefined) await deleteSession(ctx, deps, sessionId, 'session.closed');
}

/** Ends one of the caller's sessions, wherever it is open. @throws QuireError NOT_FOUND */
export async function endOwnSession(ctx: Context, deps: SessionDeps, id: string): Promise<void> {
  if (!(await deleteSession(ctx, deps, id, 'session.ended'))) throw notFound('session');
}

/** @returns whether the caller had such a session. */
async function deleteSession(
  ctx: Context,
  { relay, audit }: SessionDeps,
  id: string,
  action: 'session.closed' | 'session.ended',
): Promise<boolean> {
  const { userId, tenant } = ctx.principal;
  return ctx.db.transaction(async (tx) => {
    tx.afterCommit(() => relay.invalidate('credentials', tenant.id));
    const statement = 'DELETE FROM sessions WHERE id = $1 AND user_id = $2 RETURNING id';
    const ended = await tx.query(statement, [id, userId]);
    if (ended.length === 0) return false;
    const target = { type: 'session', id } as const;
    await audit.record(tx, { by: ctx, action, target, userId: userId ?? undefined });
    return true;
  });
}

/**
 * Ends all sessions of a user, but for one. The caller drops the cached credentials of the tenant after the commit.
 * @param exceptSessionId the session that goes on, where the user does this to the others
 */
export async function revokeSessions(tx: Queryable, userId: string, exceptSessionId?: string): Promise<void> {
  await tx.query('DELETE FROM sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2', [
    userId,
    exceptSessionId ?? null,
  ]);
}
