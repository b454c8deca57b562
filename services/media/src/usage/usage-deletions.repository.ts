import { identifier, Parameters, type KeysetPage, type Queryable } from '@quire/database';
import type { contentApi } from '@quire/internal-api';
import { sharedSchema, type Tenant } from '@quire/tenancy';
import { defineLeasedWorkTable, exponentialBackoff, type ClaimOf } from '@quire/work-queue';
import type { DeletionItem, DeletionPhase, WorkState } from './usage.schemas.js';

const table = `${identifier(sharedSchema('media'))}.usage_deletions`;
const leaseSeconds = 30;

/** Deleted collections whose usage is to be deleted, phase by phase. */
export const usageDeletions = defineLeasedWorkTable<
  { tenantId: string; collectionId: string },
  { phase: DeletionPhase }
>({
  name: table,
  key: { tenantId: 'tenant_id', collectionId: 'collection_id' },
  payload: { phase: 'phase' },
  leaseSeconds,
  maxAttempts: 8,
  backoff: exponentialBackoff({ initialSeconds: 5, maxSeconds: 600 }),
});

/** A deletion that this process has leased. */
export type LeasedDeletion = ClaimOf<typeof usageDeletions>;

const itemColumns = `collection_id AS "collectionId", collection_slug AS "collectionSlug", state, phase,
  attempts AS "attemptCount", due_at AS "nextAttemptAt", lease_expires_at AS "leaseExpiresAt",
  last_error_code AS "lastErrorCode", updated_at AS "updatedAt"`;

/** Order of lists: by the id of the collection, the oldest first. */
export const deletionOrder = {
  column: 'collection_id',
  idColumn: 'collection_id',
  direction: 'asc',
  cast: 'text',
  neverNull: true,
} as const;

/** Requests the deletion of a collection's usage. Idempotent: a repeated request changes nothing. */
export async function enqueueDeletion(
  sql: Queryable,
  { id }: Tenant,
  collection: contentApi.RegisteredCollection,
): Promise<void> {
  await sql.query(
    `INSERT INTO ${table} (tenant_id, collection_id, collection_slug, state, phase) VALUES ($1, $2, $3, 'pending', 'fence')
     ON CONFLICT DO NOTHING`,
    [id, collection.id, collection.slug],
  );
}

/** Deletes the requests of a site, leased or not. */
export async function deleteAllDeletions(sql: Queryable, { id }: Tenant): Promise<void> {
  await sql.query(`DELETE FROM ${table} WHERE tenant_id = $1`, [id]);
}

/** Records the phase and extends the lease, in one statement. @returns false when the lease is lost */
export async function updatePhase(
  sql: Queryable,
  leased: LeasedDeletion,
  phase: DeletionPhase,
): Promise<boolean> {
  const extended = await sql.query(
    `UPDATE ${table} SET phase = $4, lease_expires_at = now() + make_interval(secs => $5),
       due_at = now() + make_interval(secs => $5), updated_at = now()
     WHERE tenant_id = $1 AND collection_id = $2 AND lease_token = $3 RETURNING collection_id`,
    [leased.tenantId, leased.collectionId, leased.token, phase, leaseSeconds],
  );
  return extended.length > 0;
}

/** A page of deletions in a state. */
export async function selectDeletions(
  sql: Queryable,
  { id }: Tenant,
  state: WorkState,
  page: KeysetPage,
): Promise<DeletionItem[]> {
  const params = new Parameters();
  const conditions = [
    `tenant_id = ${params.add(id, 'text')}`,
    `state = ${params.add(state, 'text')}`,
    page.condition(params),
  ];
  return sql.query<DeletionItem>(
    `SELECT ${itemColumns} FROM ${table} WHERE ${conditions.join(' AND ')} ${page.order(params)}`,
    params.values,
  );
}

/** A deletion that was read for a retry. */
export interface DeletionToRetry {
  item: DeletionItem;
  isLeaseActive: boolean;
}

export async function selectDeletion(
  sql: Queryable,
  { id }: Tenant,
  collectionId: string,
): Promise<DeletionToRetry | undefined> {
  const [row] = await sql.query<DeletionItem & { isLeaseActive: boolean }>(
    `SELECT ${itemColumns}, coalesce(lease_expires_at > now(), false) AS "isLeaseActive" FROM ${table}
     WHERE tenant_id = $1 AND collection_id = $2`,
    [id, collectionId],
  );
  if (!row) return undefined;
  const { isLeaseActive, ...item } = row;
  return { item, isLeaseActive };
}

/**
 * Makes a deletion due now and resets its attempts.
 * @returns undefined when the deletion has changed since it was read
 */
export async function retryDeletionNow(
  sql: Queryable,
  { id }: Tenant,
  { item }: DeletionToRetry,
): Promise<DeletionItem | undefined> {
  const [row] = await sql.query<DeletionItem>(
    `UPDATE ${table} SET state = 'pending', attempts = 0, due_at = now(), lease_token = NULL,
       lease_expires_at = NULL, updated_at = now()
     WHERE tenant_id = $1 AND collection_id = $2 AND state = $3 AND attempts = $4 AND phase = $5
     RETURNING ${itemColumns}`,
    [id, item.collectionId, item.state, item.attemptCount, item.phase],
  );
  return row;
}
