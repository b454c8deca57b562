import { QuireError } from '@quire/errors';
import type { WorkState } from './usage.schemas.js';

/** Waiting work as it is read to be retried. */
interface RetryCandidate {
  item: { state: WorkState; leaseExpiresAt: string | null };
  isLeaseActive: boolean;
}

/**
 * Whether work has to be made due to be retried; pending work is already.
 * @throws QuireError WORK_LEASE_ACTIVE while a worker is at it.
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

/** The work has changed since the caller read it. */
export function workChangedError(): QuireError {
  return new QuireError('WORK_CHANGED', 'The work item was changed by another request. Reload it and retry.');
}
