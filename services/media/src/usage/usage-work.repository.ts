import { identifier, Parameters, type KeysetPage, type Queryable } from '@quire/database';
import { sharedSchema, type Tenant } from '@quire/tenancy';
import { defineLeasedWorkTable, exponentialBackoff, type ClaimOf } from '@quire/work-queue';
import type { WorkItem, WorkState } from './usage.schemas.js';

/** An entry to index. */
export interface EntryAddress {
  collectionId: string;
  collectionSlug: string;
  contentId: string;
}

/** The reason for a failed attempt. */
export type WorkErrorCode = 'CONTENT_UNAVAILABLE' | 'INDEX_FAILED';

const table = `${identifier(sharedSchema('media'))}.usage_work`;
const leaseSeconds = 30;

/**
 * Entries to index. Every change of the entry increments `generation`; a state read for an older one is not written.
 * An entry whose attempts are exhausted stays until it changes or an administrator retries it.
 */
export const usageWork = defineLeasedWorkTable<
  { tenantId: string; collectionId: string; contentId: string },
  { collectionSlug: string; generation: number }
>({
  name: table,
  key: { tenantId: 'tenant_id', collectionId: 'collection_id', contentId: 'content_id' },
  payload: { collectionSlug: 'collection_slug', generation: 'generation' },
  version: 'generation',
  leaseSeconds,
  maxAttempts: 8,
  backoff: exponentialBackoff({ initialSeconds: 2, maxSeconds: 600 }),
  onClaim: 'last_attempted_at = now()',
});

/** An entry that this process has leased. */
export type LeasedEntry = ClaimOf<typeof usageWork>;

const itemColumns = `collection_id AS "collectionId", collection_slug AS "collectionSlug", content_id AS "contentId", state,
  attempts AS "attemptCount", due_at AS "nextAttemptAt", lease_expires_at AS "leaseExpiresAt",
  last_attempted_at AS "lastAttemptedAt", last_error_code AS "lastErrorCode", updated_at AS "updatedAt"`;

/** Order of lists: by the id of the entry, the oldest first. */
export const workOrder = {
  column: 'content_id',
  idColumn: 'collection_id',
  direction: 'asc',
  cast: 'text',
  neverNull: true,
} as const;

/**
 * Enqueues an entry and leases it, in one statement: usually the same job indexes it. A worker that
 * holds the lease keeps it, and sees the new generation when it completes.
 * @returns undefined when another worker holds the lease
 */
export async function enqueueEntry(
  sql: Queryable,
  tenant: Tenant,
  { collectionId, collectionSlug, contentId }: EntryAddress,
  token: string,
): Promise<LeasedEntry | undefined> {
  const unlessBusy = (column: string, value: string) =>
    `${column} = CASE WHEN coalesce(w.lease_expires_at > now(), false) THEN w.${column} ELSE ${value} END`;
  const [row] = await sql.query<LeasedEntry>({
    prepared: true,
    text: `INSERT INTO ${table} AS w (tenant_id, collection_id, content_id, collection_slug, state, attempts, lease_token,
        lease_expires_at, due_at, last_attempted_at)
      VALUES ($1, $2, $3, $4, 'leased', 1, $5, now() + make_interval(secs => $6), now() + make_interval(secs => $6), now())
      ON CONFLICT (tenant_id, collection_id, content_id) DO UPDATE SET generation = w.generation + 1, state = 'leased',
        updated_at = now(), ${unlessBusy('attempts', '1')}, ${unlessBusy('lease_token', 'excluded.lease_token')},
        ${unlessBusy('lease_expires_at', 'excluded.lease_expires_at')},
        ${unlessBusy('due_at', 'excluded.due_at')}, ${unlessBusy('last_attempted_at', 'now()')},
        ${unlessBusy('last_error_code', 'NULL')}
      RETURNING ${usageWork.leaseColumns}`,
    values: [tenant.id, collectionId, contentId, collectionSlug, token, leaseSeconds],
  });
  return row?.token === token ? row : undefined;
}

/** Deletes a batch of a collection's work, leased or not. @returns whether there may be more */
export async function deleteWorkBatch(
  sql: Queryable,
  { id }: Tenant,
  collectionId: string,
  limit: number,
): Promise<boolean> {
  const removed = await sql.query(
    `DELETE FROM ${table} WHERE tenant_id = $1 AND collection_id = $2 AND content_id IN (
       SELECT content_id FROM ${table} WHERE tenant_id = $1 AND collection_id = $2 ORDER BY content_id LIMIT $3 FOR UPDATE)
     RETURNING content_id`,
    [id, collectionId, limit],
  );
  return removed.length === limit;
}

/** Deletes a batch of a site's work, leased or not. @returns whether there is more */
export async function deleteAllWorkBatch(sql: Queryable, { id }: Tenant, limit: number): Promise<boolean> {
  await sql.query(
    `DELETE FROM ${table} WHERE tenant_id = $1 AND (collection_id, content_id) IN (
       SELECT collection_id, content_id FROM ${table} WHERE tenant_id = $1 ORDER BY collection_id, content_id LIMIT $2
       FOR UPDATE)`,
    [id, limit],
  );
  return (await sql.query(`SELECT 1 FROM ${table} WHERE tenant_id = $1 LIMIT 1`, [id])).length > 0;
}

/** A page of a collection's work. */
export async function selectWork(
  sql: Queryable,
  { id }: Tenant,
  filter: { collection: string; state?: WorkState | undefined },
  page: KeysetPage,
): Promise<WorkItem[]> {
  const params = new Parameters();
  const conditions = [
    `tenant_id = ${params.add(id, 'text')}`,
    `collection_slug = ${params.add(filter.collection, 'text')}`,
    page.condition(params),
  ];
  if (filter.state !== undefined) conditions.push(`state = ${params.add(filter.state, 'text')}`);
  return sql.query<WorkItem>(
    `SELECT ${itemColumns} FROM ${table} WHERE ${conditions.join(' AND ')} ${page.order(params)}`,
    params.values,
  );
}

/** Work that was read for a retry. The update checks the version that was read. */
export interface WorkToRetry {
  item: WorkItem;
  isLeaseActive: boolean;
  generation: number;
}

export async function selectWorkItem(
  sql: Queryable,
  { id }: Tenant,
  { collectionId, contentId }: Omit<EntryAddress, 'collectionSlug'>,
): Promise<WorkToRetry | undefined> {
  const [row] = await sql.query<WorkItem & Omit<WorkToRetry, 'item'>>(
    `SELECT ${itemColumns}, coalesce(lease_expires_at > now(), false) AS "isLeaseActive", generation
     FROM ${table} WHERE tenant_id = $1 AND collection_id = $2 AND content_id = $3`,
    [id, collectionId, contentId],
  );
  if (!row) return undefined;
  const { isLeaseActive, generation, ...item } = row;
  return { item, isLeaseActive, generation };
}

/**
 * Makes work due now and resets its attempts.
 * @returns undefined when the work has changed since it was read
 */
export async function retryWorkNow(
  sql: Queryable,
  { id }: Tenant,
  { item, generation }: WorkToRetry,
): Promise<WorkItem | undefined> {
  const [row] = await sql.query<WorkItem>(
    `UPDATE ${table} SET state = 'pending', attempts = 0, due_at = now(), lease_token = NULL,
       lease_expires_at = NULL, updated_at = now()
     WHERE tenant_id = $1 AND collection_id = $2 AND content_id = $3 AND generation = $4 AND state = $5 AND attempts = $6
     RETURNING ${itemColumns}`,
    [id, item.collectionId, item.contentId, generation, item.state, item.attemptCount],
  );
  return row;
}
