import { identifier, type Queryable } from '@quire/database';
import { sharedSchema } from '@quire/tenancy';
import { defineLeasedWorkTable, exponentialBackoff, type ClaimOf } from '@quire/work-queue';

const table = `${identifier(sharedSchema('transfer'))}.import_steps`;

/** A worker extends the lease with every step, and during long ones. */
const leaseSeconds = 20;
export const leaseRenewalMs = 5_000;
/** Outages of databases and services are waited for: an import pauses, and goes on (spec document 3, Errors). */
const maxAttempts = 1_000_000;

/** Imports with a next step. One worker at a time takes the steps of an import (spec document 3, rule 4). */
export const importSteps = defineLeasedWorkTable<{ tenantId: string; importId: string }, object>({
  name: table,
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

/** Makes the next step of an import due now; a worker that holds its lease keeps it. */
export async function enqueueSteps(sql: Queryable, { tenantId, importId }: ImportAddress): Promise<void> {
  await sql.query(
    `INSERT INTO ${table} (tenant_id, import_id) VALUES ($1, $2)
     ON CONFLICT (tenant_id, import_id) DO UPDATE SET updated_at = now()`,
    [tenantId, importId],
  );
}

/** Gives a lease back, so that the next worker takes the next step at once. */
export async function releaseSteps(
  sql: Queryable,
  { tenantId, importId, token }: LeasedImport,
): Promise<void> {
  await sql.query(
    `UPDATE ${table} SET state = 'pending', attempts = 0, due_at = now(), lease_token = NULL, lease_expires_at = NULL,
       updated_at = now()
     WHERE tenant_id = $1 AND import_id = $2 AND lease_token = $3`,
    [tenantId, importId, token],
  );
}
