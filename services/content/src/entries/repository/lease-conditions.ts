import { jsonPairsOf, type Parameters } from '@quire/database';
import type { LeaseGuard, LockableRow } from '../entry-lock.js';
import { Lease } from '../locks/index.js';

/** Duration of a lease since it was acquired or extended. */
export const leaseInterval = "interval '7 minutes'";

const jsonPairs = jsonPairsOf(Lease, { of: 'l', only: ['userId', 'userName', 'acquiredAt', 'expiresAt'] });

/** SQL of the lease `l` as an `EntryLock`. */
export const lockJson = `json_build_object(${jsonPairs})`;

/** SQL of the valid lease of row `e`, or null. */
export const lockOfEntry = `(SELECT ${lockJson} FROM entry_locks l WHERE l.entry_id = e.id AND l.expires_at > now())`;

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
