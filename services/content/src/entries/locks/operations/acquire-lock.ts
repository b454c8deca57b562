import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { leaseInterval, lockJson, type EntryLock, type EntryDeps, type EntryTarget } from '../../index.js';
import type { AuthClient } from '../../../clients/index.js';
import { selectValidLease, withLockStatus, type LockStatus } from '../lock-status.js';

export interface LockRequest {
  /** Names one editing session: only a release with the same one ends the lease. */
  token?: string | undefined;
  /** Takes the lease although somebody else holds it. */
  takeover?: boolean | undefined;
}

/**
 * Takes the lease on an entry for seven minutes by the database's clock, or extends the caller's own. Somebody else's
 * valid lease stays theirs, unless it is taken over; that is no error, the answer names the holder.
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, FORBIDDEN.
 */
export async function acquireLock(
  ctx: Context,
  deps: EntryDeps,
  users: AuthClient,
  target: EntryTarget,
  request: LockRequest,
): Promise<LockStatus> {
  return withLockStatus(ctx, deps, target, async ({ id, userId }) => {
    const userName = await nameOf(ctx, users, userId);
    return (
      (await upsertLease(ctx.db, { id, userId, userName, ...request })) ??
      (await selectValidLease(ctx.db, id))
    );
  });
}

/** The name others see. A lease without a name is better than none, so an auth service that is away does not matter. */
async function nameOf(ctx: Context, users: AuthClient, userId: string): Promise<string | null> {
  const [user] = await users.byIds(ctx, [userId]).catch(() => []);
  return user?.name ?? user?.email ?? null;
}

interface LeaseRequest extends LockRequest {
  id: string;
  userId: string;
  userName: string | null;
}

/** @returns the caller's lease, or undefined when somebody else holds it. */
async function upsertLease(sql: Queryable, { id, userId, userName, token, takeover }: LeaseRequest) {
  const isOwn = 'l.user_id = excluded.user_id AND l.expires_at > now()';
  const [row] = await sql.query<{ lock: EntryLock }>({
    prepared: true,
    text: `
      INSERT INTO entry_locks AS l (entry_id, user_id, user_name, token, acquired_at, expires_at)
      VALUES ($1, $2, $3, $4, now(), now() + ${leaseInterval})
      ON CONFLICT (entry_id) DO UPDATE SET
        user_id = excluded.user_id,
        user_name = excluded.user_name,
        token = CASE WHEN ${isOwn} THEN coalesce(excluded.token, l.token) ELSE excluded.token END,
        acquired_at = CASE WHEN ${isOwn} THEN l.acquired_at ELSE excluded.acquired_at END,
        expires_at = excluded.expires_at
      WHERE $5 OR l.user_id = excluded.user_id OR l.expires_at <= now()
      RETURNING ${lockJson} AS lock`,
    values: [id, userId, userName, token ?? null, takeover ?? false],
  });
  return row?.lock;
}
