import type { Principal } from '@quire/context';
import { jsonPairsOf, type Parameters, type Row } from '@quire/database';
import { QuireError } from '@quire/errors';
import { canOnRow } from '@quire/permissions';
import { Lease } from './locks/index.js';

/** The lease on an entry in responses, with instants of the database's clock (contract 8). */
export type EntryLock = Pick<Row<Lease>, 'userId' | 'userName' | 'acquiredAt' | 'expiresAt'>;

/** The properties of an entry's row that decide about its lease. */
export interface LockableRow {
  _lock?: EntryLock | null;
  authorId: string | null;
}

/** Duration of a lease since it was acquired or extended. */
export const leaseInterval = "interval '7 minutes'";

const jsonPairs = jsonPairsOf(Lease, { of: 'l', only: ['userId', 'userName', 'acquiredAt', 'expiresAt'] });

/** SQL of the lease `l` as an `EntryLock`. */
export const lockJson = `json_build_object(${jsonPairs})`;

/** SQL of the valid lease of row `e`, or null. */
export const lockOfEntry = `(SELECT ${lockJson} FROM entry_locks l WHERE l.entry_id = e.id AND l.expires_at > now())`;

/** The user whose write respects the leases of others. */
export interface LeaseGuard {
  userId: string;
  caller: Principal;
}

/** @returns undefined for work of Quire itself and for a caller who overrides leases: no lease blocks their writes. */
export function leaseGuardOf(principal: Principal, overrideLock = false): LeaseGuard | undefined {
  if (overrideLock || principal.userId === null) return undefined;
  return { userId: principal.userId, caller: principal };
}

/**
 * Asserts that no other user holds the lease. A caller who may not edit the entry must not learn who does (contract 8:
 * the lock routes need content:edit): the call passes, and the decision on the write rejects them as without a lease.
 * @throws QuireError ENTRY_LOCKED, with the holder in its details.
 */
export function assertUnlocked({ _lock: lock, authorId }: LockableRow, guard: LeaseGuard | undefined): void {
  if (!guard || !lock || lock.userId === guard.userId) return;
  if (!canOnRow(guard.caller, 'content:edit', authorId)) return;
  throw new QuireError('ENTRY_LOCKED', `${lock.userName ?? 'Somebody else'} is editing this entry`, {
    details: { ...lock },
  });
}

/** SQL condition on row `e` of a write: no other user has acquired the lease since the row was read. */
export function leaseGuardCondition(guard: LeaseGuard, parameters: Parameters): string {
  return `NOT EXISTS (SELECT 1 FROM entry_locks l WHERE l.entry_id = e.id AND l.expires_at > now()
    AND l.user_id <> ${parameters.add(guard.userId, 'text')})`;
}

/** The part of a write that extends the user's own lease, whether the write overrides leases or not. */
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
