import type { Queryable } from '@quire/database';
import { leaseInterval, lockJson, type EntryLock } from '../index.js';

export interface LeaseInput {
  entryId: string;
  userId: string;
  userName: string | null;
  token?: string | undefined;
  /** Whether another user's valid lease is replaced. */
  takeover?: boolean | undefined;
}

/** @returns the valid lease of an entry, or null. */
export async function selectValidLease(sql: Queryable, entryId: string): Promise<EntryLock | null> {
  const [row] = await sql.query<{ lock: EntryLock }>({
    prepared: true,
    text: `SELECT ${lockJson} AS lock FROM entry_locks l WHERE l.entry_id = $1 AND l.expires_at > now()`,
    values: [entryId],
  });
  return row?.lock ?? null;
}

/** Acquires or extends the user's lease. @returns the lease, or undefined when another user holds it. */
export async function upsertLease(
  sql: Queryable,
  { entryId, userId, userName, token, takeover }: LeaseInput,
): Promise<EntryLock | undefined> {
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
    values: [entryId, userId, userName, token ?? null, takeover ?? false],
  });
  return row?.lock;
}

/** Deletes the user's lease unless it has another token. @returns whether a valid lease was deleted. */
export async function deleteLease(
  sql: Queryable,
  { entryId, userId, token }: Pick<LeaseInput, 'entryId' | 'userId' | 'token'>,
): Promise<boolean> {
  const [lease] = await sql.query<{ isValid: boolean }>(
    `DELETE FROM entry_locks WHERE entry_id = $1 AND user_id = $2 AND (token IS NULL OR token = $3)
     RETURNING expires_at > now() AS "isValid"`,
    [entryId, userId, token ?? null],
  );
  return lease?.isValid ?? false;
}
