import { QuireError } from '@quire/errors';
import type { WorkState } from './usage.schemas.js';

/** Pending work that was read for a retry. */
interface RetryCandidate {
  item: { state: WorkState; leaseExpiresAt: string | null };
  isLeaseActive: boolean;
}

/**
 * Whether a retry has to make the work due. Pending work is due already.
 * @throws QuireError WORK_LEASE_ACTIVE while a worker holds the lease.
 */
export function isRetryable({ item, isLeaseActive }: RetryCandidate): boolean {
  if (!isLeaseActive) return item.state !== 'pending';
  const { leaseExpiresAt } = item;
  throw new QuireError(
    'WORK_LEASE_ACTIVE',
    `Another worker holds the lease until ${leaseExpiresAt}. Retry after that.`,
    {
      details: { leaseExpiresAt },
    },
  );
}

/** The error for work that has changed since it was read. */
export function workChangedError(): QuireError {
  return new QuireError('WORK_CHANGED', 'The work item was changed by another request. Reload it and retry.');
}
