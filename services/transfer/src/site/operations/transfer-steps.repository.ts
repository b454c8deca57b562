import { identifier } from '@quire/database';
import { sharedSchema } from '@quire/tenancy';
import { defineLeasedWorkTable, exponentialBackoff, type ClaimOf } from '@quire/work-queue';

/** The holder extends its lease with every step, and during long ones. */
const leaseSeconds = 20;
export const leaseRenewalMs = 5_000;
/** Outages of databases and services are waited for. Other failures end the operation earlier. */
const maxAttempts = 1_000_000;

/** Operations with a next step. One process at a time takes the steps of an operation. */
export const transferSteps = defineLeasedWorkTable<
  { tenantId: string; operationId: string },
  { fencingToken: number }
>({
  name: `${identifier(sharedSchema('transfer'))}.transfer_steps`,
  key: { tenantId: 'tenant_id', operationId: 'operation_id' },
  // Services that write records reject a smaller token than the greatest of the site: that of a lost lease.
  payload: { fencingToken: 'fencing_token' },
  onClaim:
    'fencing_token = greatest(fencing_token + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)',
  leaseSeconds,
  maxAttempts,
  backoff: exponentialBackoff({ initialSeconds: 1, maxSeconds: 60 }),
});

/** The steps of an operation that this process has leased. */
export type LeasedOperation = ClaimOf<typeof transferSteps>;
