import type { Principal } from '@quire/context';
import type { Row } from '@quire/database';
import { QuireError } from '@quire/errors';
import { canOnRow } from '@quire/permissions';
import type { Lease } from './locks/index.js';

/** The lease on an entry in responses, with instants of the database's clock (contract 8). */
export type EntryLock = Pick<Row<Lease>, 'userId' | 'userName' | 'acquiredAt' | 'expiresAt'>;

/** The properties of an entry's row that decide about its lease. */
export interface LockableRow {
  _lock?: EntryLock | null;
  authorId: string | null;
}

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
  throw new QuireError('ENTRY_LOCKED', `${lock.userName ?? 'Another user'} is holding this entry`, {
    details: { ...lock },
  });
}
