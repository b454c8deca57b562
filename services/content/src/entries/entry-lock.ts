import type { Principal } from '@quire/context';
import type { Parameters } from '@quire/database';
import { QuireError } from '@quire/errors';
import { canOnRow } from '@quire/permissions';

/** Who is editing an entry, as of the database's clock (contract 8). */
export interface EntryLock {
  userId: string;
  userName: string | null;
  acquiredAt: string;
  expiresAt: string;
}

/** What of an entry's row decides about its lease. */
export interface LockableRow {
  _lock?: EntryLock | null;
  authorId: string | null;
}

/** How long a lease lasts after it was taken or extended. */
export const leaseInterval = "interval '7 minutes'";

const iso = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The lease `l` as the API shows it. */
export const lockJson = `json_build_object('userId', l.user_id, 'userName', l.user_name,
  'acquiredAt', ${iso('l.acquired_at')}, 'expiresAt', ${iso('l.expires_at')})`;

/** The valid lease of row `e`, or null. */
export const lockOfEntry = `(SELECT ${lockJson} FROM entry_locks l WHERE l.entry_id = e.id AND l.expires_at > now())`;

/** On whose behalf a protected write is made; undefined for one that no lease holds up. */
export interface LeaseGuard {
  userId: string;
  caller: Principal;
}

/** The guard of a write: Quire's own work and a caller who overrides leases have none. */
export function leaseGuardOf(principal: Principal, overrideLock = false): LeaseGuard | undefined {
  if (overrideLock || principal.userId === null) return undefined;
  return { userId: principal.userId, caller: principal };
}

/**
 * Who may not edit the entry does not learn who does (contract 8: the lock routes need content:edit): they pass here,
 * for the decision on their write to refuse them as it does without a lease.
 * @throws QuireError ENTRY_LOCKED, with the holder in its details, when somebody else holds the lease.
 */
export function assertUnlocked({ _lock: lock, authorId }: LockableRow, guard: LeaseGuard | undefined): void {
  if (!guard || !lock || lock.userId === guard.userId) return;
  if (!canOnRow(guard.caller, 'content:edit', authorId)) return;
  throw new QuireError('ENTRY_LOCKED', `${lock.userName ?? 'Somebody else'} is editing this entry`, {
    details: { ...lock },
  });
}

/** Condition on row `e` of a write: nobody else has taken the lease since the row was read. */
export function leaseGuardCondition(guard: LeaseGuard, parameters: Parameters): string {
  return `NOT EXISTS (SELECT 1 FROM entry_locks l WHERE l.entry_id = e.id AND l.expires_at > now()
    AND l.user_id <> ${parameters.add(guard.userId, 'text')})`;
}

/** Part of a write by a user: a holder who saves goes on holding, whether they override leases or not. */
export function extendLease(
  { _lock: lock }: LockableRow,
  userId: string | null,
  parameters: Parameters,
): string[][] {
  if (!lock || lock.userId !== userId) return [];
  return [
    [
      'extended',
      `UPDATE entry_locks l SET expires_at = now() + ${leaseInterval}
       WHERE l.entry_id IN (SELECT id FROM changed) AND l.user_id = ${parameters.add(userId, 'text')}
         AND l.expires_at > now()`,
    ],
  ];
}
