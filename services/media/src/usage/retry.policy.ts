import { QuireError } from '@quire/errors';
import type { WorkState } from './usage.schemas.js';

/** Waiting work as it is read to be retried. */
interface Retried {
  item: { state: WorkState; leaseExpiresAt: string | null };
  isLeaseActive: boolean;
}

/**
 * Whether work has to be made due to be retried; pending work is already.
 * @throws QuireError WORK_LEASE_ACTIVE while a worker is at it.
 */
export function isToBeMadeDue({ item, isLeaseActive }: Retried): boolean {
  if (!isLeaseActive) return item.state !== 'pending';
  const { leaseExpiresAt } = item;
  throw new QuireError('WORK_LEASE_ACTIVE', `A worker is at it until ${leaseExpiresAt}; then read it again`, {
    details: { leaseExpiresAt },
  });
}

/** Whoever retries work does not know its present state. */
export function workChanged(): QuireError {
  return new QuireError('WORK_CHANGED', 'The work has changed meanwhile; read it again');
}
