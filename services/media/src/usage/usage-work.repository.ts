import { identifier, Parameters, type KeysetPage, type Queryable } from '@quire/database';
import { sharedSchema, type Tenant } from '@quire/tenancy';
import type { WorkItem, WorkState } from './usage.schemas.js';

/** An entry that is to be indexed. */
export interface EntryAddress {
  collectionId: string;
  collectionSlug: string;
  contentId: string;
}

/** Work that this process has taken on, for a while and alone. */
export interface LeasedEntry extends EntryAddress {
  tenantId: string;
  token: string;
  /** Grows with every change of the entry: what was read for an older one is not written. */
  generation: number;
  attemptCount: number;
}

/** Why an attempt came to nothing. */
export type WorkErrorCode = 'CONTENT_UNAVAILABLE' | 'INDEX_FAILED';

/** A lease that runs out has lost its holder: others take the work on. */
const leaseSeconds = 30;
/** After so many attempts in vain an entry is left until it changes or somebody has it tried again. */
const maxAttempts = 8;
const initialRetrySeconds = 2;
const maxRetrySeconds = 600;

const table = `${identifier(sharedSchema('media'))}.usage_work`;

const leaseColumns = `w.tenant_id AS "tenantId", w.collection_id AS "collectionId", w.collection_slug AS "collectionSlug",
  w.content_id AS "contentId", w.generation, w.lease_token AS token, w.attempts AS "attemptCount"`;

const itemColumns = `collection_id AS "collectionId", collection_slug AS "collectionSlug", content_id AS "contentId", state,
  attempts AS "attemptCount", due_at AS "nextAttemptAt", lease_expires_at AS "leaseExpiresAt",
  last_attempted_at AS "lastAttemptedAt", last_error_code AS "lastErrorCode", updated_at AS "updatedAt"`;

/** A list goes through the entries from the oldest. */
export const workOrder = {
  column: 'content_id',
  idColumn: 'collection_id',
  direction: 'asc',
  cast: 'text',
  neverNull: true,
} as const;

/**
 * Notes that an entry is to be indexed anew, and takes that on unless somebody else is at it, who will notice.
 * @returns undefined when somebody else is at it
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
      RETURNING ${leaseColumns}`,
    values: [tenant.id, collectionId, contentId, collectionSlug, token, leaseSeconds],
  });
  return row?.token === token ? row : undefined;
}

/** Takes on what is due, whatever site it is of, oldest first. Runs in the service's shared schema. */
export async function claimDueWork(sql: Queryable, limit: number): Promise<LeasedEntry[]> {
  return sql.query<LeasedEntry>(
    `UPDATE ${table} w SET state = 'leased', attempts = w.attempts + 1, last_attempted_at = now(), updated_at = now(),
       lease_token = gen_random_uuid()::text, lease_expires_at = now() + make_interval(secs => $2),
       due_at = now() + make_interval(secs => $2)
     FROM (
       SELECT tenant_id, collection_id, content_id FROM ${table}
       WHERE state <> 'failed' AND due_at <= now()
       ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
     ) due
     WHERE w.tenant_id = due.tenant_id AND w.collection_id = due.collection_id AND w.content_id = due.content_id
     RETURNING ${leaseColumns}`,
    [limit, leaseSeconds],
  );
}

/**
 * Strikes work out, in the transaction that writes its result.
 * @returns false when the lease is lost or the entry has changed since: then nothing may be written
 */
export async function completeWork(sql: Queryable, leased: LeasedEntry): Promise<boolean> {
  const finished = await sql.query({
    prepared: true,
    text: `DELETE FROM ${table} WHERE tenant_id = $1 AND collection_id = $2 AND content_id = $3 AND lease_token = $4
        AND generation = $5 RETURNING content_id`,
    values: [leased.tenantId, leased.collectionId, leased.contentId, leased.token, leased.generation],
  });
  return finished.length > 0;
}

/** Goes on with work whose entry has changed meanwhile. @returns undefined when the lease is lost */
export async function extendWorkLease(sql: Queryable, leased: LeasedEntry): Promise<LeasedEntry | undefined> {
  const [renewed] = await sql.query<LeasedEntry>(
    `UPDATE ${table} w SET lease_expires_at = now() + make_interval(secs => $5),
       due_at = now() + make_interval(secs => $5), updated_at = now()
     WHERE tenant_id = $1 AND collection_id = $2 AND content_id = $3 AND lease_token = $4 RETURNING ${leaseColumns}`,
    [leased.tenantId, leased.collectionId, leased.contentId, leased.token, leaseSeconds],
  );
  return renewed;
}

/**
 * Puts off work that came to nothing, longer each time, and at last for good. Nothing happens when the lease is lost.
 */
export async function rescheduleWork(
  sql: Queryable,
  leased: LeasedEntry,
  errorCode: WorkErrorCode,
): Promise<void> {
  const { attemptCount } = leased;
  const seconds = Math.min(maxRetrySeconds, initialRetrySeconds * 2 ** Math.min(10, attemptCount - 1));
  const state: WorkState = attemptCount < maxAttempts ? 'retry' : 'failed';
  await sql.query(
    `UPDATE ${table} SET state = $5, due_at = now() + make_interval(secs => $6), last_error_code = $7,
       lease_token = NULL, lease_expires_at = NULL, updated_at = now()
     WHERE tenant_id = $1 AND collection_id = $2 AND content_id = $3 AND lease_token = $4`,
    [
      leased.tenantId,
      leased.collectionId,
      leased.contentId,
      leased.token,
      state,
      state === 'failed' ? 0 : seconds,
      errorCode,
    ],
  );
}

/** Forgets work of a site that is gone. */
export async function deleteWork(
  sql: Queryable,
  { tenantId, collectionId, contentId }: LeasedEntry,
): Promise<void> {
  await sql.query(`DELETE FROM ${table} WHERE tenant_id = $1 AND collection_id = $2 AND content_id = $3`, [
    tenantId,
    collectionId,
    contentId,
  ]);
}

/** Forgets some of a collection's work, leased or not. @returns whether there may be more */
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

/** The rows of a page of a collection's work. */
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

/** Work as it is read to be retried: whether its lease holds, and what the write names to change nothing else. */
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

/** Makes work due at once, as if it were new. @returns undefined when it is no longer as it was read */
export async function retryWorkNow(
  sql: Queryable,
  { id }: Tenant,
  { item, generation }: WorkToRetry,
): Promise<WorkItem | undefined> {
  const [made] = await sql.query<WorkItem>(
    `UPDATE ${table} SET state = 'pending', attempts = 0, due_at = now(), lease_token = NULL,
       lease_expires_at = NULL, updated_at = now()
     WHERE tenant_id = $1 AND collection_id = $2 AND content_id = $3 AND generation = $4 AND state = $5 AND attempts = $6
     RETURNING ${itemColumns}`,
    [id, item.collectionId, item.contentId, generation, item.state, item.attemptCount],
  );
  return made;
}
