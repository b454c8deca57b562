import type { Context } from '@quire/context';
import type { Sql } from '@quire/database';
import { notFound } from '@quire/errors';
import type { CacheRelay } from '@quire/messages';
import type { AuditLog } from '../../audit/index.js';

/** What ending a session works with, beside the context. */
interface EndServices {
  relay: CacheRelay;
  audit: AuditLog;
}

/** Signs the caller's session out. Without one, nothing happens. */
export async function endOwnSession(ctx: Context, services: EndServices): Promise<void> {
  const { sessionId } = ctx.principal;
  if (sessionId !== undefined) await endOne(ctx, services, sessionId, 'session.closed');
}

/** Ends one of the caller's sessions, wherever it is open. @throws QuireError NOT_FOUND */
export async function endSession(ctx: Context, services: EndServices, id: string): Promise<void> {
  if (!(await endOne(ctx, services, id, 'session.ended'))) throw notFound('session');
}

/** @returns whether the caller had such a session. */
async function endOne(
  ctx: Context,
  { relay, audit }: EndServices,
  id: string,
  action: 'session.closed' | 'session.ended',
): Promise<boolean> {
  const { userId, tenant } = ctx.principal;
  return ctx.db.transaction(async (tx) => {
    tx.afterCommit(() => relay.drop('credentials', tenant.id));
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
 * @param keptSessionId the session that goes on, where the user does this to the others
 */
export async function endSessionsOf(tx: Sql, userId: string, keptSessionId?: string): Promise<void> {
  await tx.query('DELETE FROM sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2', [
    userId,
    keptSessionId ?? null,
  ]);
}
