import { identifier, Parameters, type KeysetPage, type Queryable } from '@quire/database';
import type { contentApi } from '@quire/internal-api';
import { sharedSchema, type Tenant } from '@quire/tenancy';
import type { DeletionItem, DeletionPhase, WorkState } from './usage.schemas.js';

/** The deletion of a collection that this process has taken on, for a while and alone. */
export interface LeasedDeletion {
  tenantId: string;
  collectionId: string;
  phase: DeletionPhase;
  token: string;
  attemptCount: number;
}

const leaseSeconds = 30;
const maxAttempts = 8;
const initialRetrySeconds = 5;
const maxRetrySeconds = 600;

const table = `${identifier(sharedSchema('media'))}.usage_deletions`;

const leaseColumns = `d.tenant_id AS "tenantId", d.collection_id AS "collectionId", d.phase, d.lease_token AS token,
  d.attempts AS "attemptCount"`;

const itemColumns = `collection_id AS "collectionId", collection_slug AS "collectionSlug", state, phase,
  attempts AS "attemptCount", due_at AS "nextAttemptAt", lease_expires_at AS "leaseExpiresAt",
  last_error_code AS "lastErrorCode", updated_at AS "updatedAt"`;

/** A list goes through the collections from the oldest. */
export const deletionOrder = {
  column: 'collection_id',
  idColumn: 'collection_id',
  direction: 'asc',
  cast: 'text',
  neverNull: true,
} as const;

/** Notes that a collection is gone, so that its usage is forgotten. Saying it twice changes nothing. */
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

const taken = `state = 'leased', attempts = d.attempts + 1, lease_token = gen_random_uuid()::text,
  lease_expires_at = now() + make_interval(secs => ${leaseSeconds}),
  due_at = now() + make_interval(secs => ${leaseSeconds}), updated_at = now()`;

/** Takes on one deletion. @returns undefined when somebody else is at it, or it is done */
export async function claimDeletion(
  sql: Queryable,
  { id }: Tenant,
  collectionId: string,
): Promise<LeasedDeletion | undefined> {
  const [leased] = await sql.query<LeasedDeletion>(
    `UPDATE ${table} d SET ${taken}
     WHERE tenant_id = $1 AND collection_id = $2 AND coalesce(lease_expires_at <= now(), true) RETURNING ${leaseColumns}`,
    [id, collectionId],
  );
  return leased;
}

/** Takes on deletions that are due, whatever site they are of. Runs in the service's shared schema. */
export async function claimDueDeletions(sql: Queryable, limit: number): Promise<LeasedDeletion[]> {
  return sql.query<LeasedDeletion>(
    `UPDATE ${table} d SET ${taken}
     FROM (SELECT tenant_id, collection_id FROM ${table} WHERE state <> 'failed' AND due_at <= now()
       ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED) due
     WHERE d.tenant_id = due.tenant_id AND d.collection_id = due.collection_id RETURNING ${leaseColumns}`,
    [limit],
  );
}

/** Goes on to a phase, or on with it. @returns false when the lease is lost */
export async function updatePhase(
  sql: Queryable,
  leased: LeasedDeletion,
  phase: DeletionPhase,
): Promise<boolean> {
  const held = await sql.query(
    `UPDATE ${table} SET phase = $4, lease_expires_at = now() + make_interval(secs => $5),
       due_at = now() + make_interval(secs => $5), updated_at = now()
     WHERE tenant_id = $1 AND collection_id = $2 AND lease_token = $3 RETURNING collection_id`,
    [leased.tenantId, leased.collectionId, leased.token, phase, leaseSeconds],
  );
  return held.length > 0;
}

/** Forgets a deletion that is done, or whose site is gone. */
export async function deleteDeletion(
  sql: Queryable,
  { tenantId, collectionId, token }: LeasedDeletion,
): Promise<void> {
  await sql.query(`DELETE FROM ${table} WHERE tenant_id = $1 AND collection_id = $2 AND lease_token = $3`, [
    tenantId,
    collectionId,
    token,
  ]);
}

/** Puts off a deletion that broke off, longer each time, and at last for good. */
export async function rescheduleDeletion(
  sql: Queryable,
  leased: LeasedDeletion,
  errorCode: string,
): Promise<void> {
  const { tenantId, collectionId, token, attemptCount } = leased;
  const seconds = Math.min(maxRetrySeconds, initialRetrySeconds * 2 ** Math.min(10, attemptCount - 1));
  const state: WorkState = attemptCount < maxAttempts ? 'retry' : 'failed';
  await sql.query(
    `UPDATE ${table} SET state = $4, due_at = now() + make_interval(secs => $5), last_error_code = $6,
       lease_token = NULL, lease_expires_at = NULL, updated_at = now()
     WHERE tenant_id = $1 AND collection_id = $2 AND lease_token = $3`,
    [tenantId, collectionId, token, state, seconds, errorCode],
  );
}

/** The rows of a page of deletions in a state. */
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

/** A deletion as it is read to be retried. */
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

/** Makes a deletion due at once, as if it were new. @returns undefined when it is no longer as it was read */
export async function retryDeletionNow(
  sql: Queryable,
  { id }: Tenant,
  { item }: DeletionToRetry,
): Promise<DeletionItem | undefined> {
  const [made] = await sql.query<DeletionItem>(
    `UPDATE ${table} SET state = 'pending', attempts = 0, due_at = now(), lease_token = NULL,
       lease_expires_at = NULL, updated_at = now()
     WHERE tenant_id = $1 AND collection_id = $2 AND state = $3 AND attempts = $4 AND phase = $5
     RETURNING ${itemColumns}`,
    [id, item.collectionId, item.state, item.attemptCount, item.phase],
  );
  return made;
}
