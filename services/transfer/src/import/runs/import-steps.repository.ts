import { identifier } from '@quire/database';
import { sharedSchema } from '@quire/tenancy';
import { defineLeasedWorkTable, exponentialBackoff, type ClaimOf } from '@quire/work-queue';

/** A worker extends the lease with every step, and during long ones. */
const leaseSeconds = 20;
export const leaseRenewalMs = 5_000;
/** Outages of databases and services are waited for: an import pauses, and goes on (spec document 3, Errors). */
const maxAttempts = 1_000_000;

/** Imports with a next step. One worker at a time takes the steps of an import (spec document 3, rule 4). */
export const importSteps = defineLeasedWorkTable<{ tenantId: string; importId: string }, object>({
  name: `${identifier(sharedSchema('transfer'))}.import_steps`,
  key: { tenantId: 'tenant_id', importId: 'import_id' },
  payload: {},
  leaseSeconds,
  maxAttempts,
  backoff: exponentialBackoff({ initialSeconds: 1, maxSeconds: 60 }),
});

/** The steps of an import that this worker has leased. */
export type LeasedImport = ClaimOf<typeof importSteps>;

/** Address of an import across tenants. */
export interface ImportAddress {
  tenantId: string;
  importId: string;
}
