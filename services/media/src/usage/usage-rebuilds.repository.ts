import { identifier, type Queryable } from '@quire/database';
import type { contentApi } from '@quire/internal-api';
import { sharedSchema, type Tenant } from '@quire/tenancy';

/** A collection whose index is to be built anew, taken on by a sweep. */
export interface ClaimedRebuild {
  tenantId: string;
  collectionId: string;
  collectionSlug: string;
  requestedAt: string;
}

/** How long other sweeps leave a claimed one alone; longer each time. */
const claimSeconds = 60;
const maxClaimSeconds = 3_600;

const table = `${identifier(sharedSchema('media'))}.usage_rebuilds`;

/** Has the index of a collection built anew, soon, by the worker. */
export async function requestRebuild(
  sql: Queryable,
  { id }: Tenant,
  collection: contentApi.RegisteredCollection,
): Promise<void> {
  await sql.query(
    `INSERT INTO ${table} (tenant_id, collection_id, collection_slug) VALUES ($1, $2, $3)
     ON CONFLICT (tenant_id, collection_id) DO UPDATE SET requested_at = now(), due_at = now(), attempts = 0`,
    [id, collection.id, collection.slug],
  );
}

/** Takes on what is requested, whatever site it is of. Runs in the service's shared schema. */
export async function claimRebuilds(sql: Queryable, limit: number): Promise<ClaimedRebuild[]> {
  return sql.query<ClaimedRebuild>(
    `UPDATE ${table} r SET attempts = r.attempts + 1,
       due_at = now() + make_interval(secs => least($2 * 2 ^ least(r.attempts, 10), $3))
     FROM (SELECT tenant_id, collection_id FROM ${table} WHERE due_at <= now()
       ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED) due
     WHERE r.tenant_id = due.tenant_id AND r.collection_id = due.collection_id
     RETURNING r.tenant_id AS "tenantId", r.collection_id AS "collectionId", r.collection_slug AS "collectionSlug",
       r.requested_at AS "requestedAt"`,
    [limit, claimSeconds, maxClaimSeconds],
  );
}

/** Forgets a rebuild that is done, unless it was requested again since. */
export async function deleteRebuild(
  sql: Queryable,
  { tenantId, collectionId, requestedAt }: ClaimedRebuild,
): Promise<void> {
  await sql.query(`DELETE FROM ${table} WHERE tenant_id = $1 AND collection_id = $2 AND requested_at = $3`, [
    tenantId,
    collectionId,
    requestedAt,
  ]);
}

/** Forgets that a collection's index was to be built anew. */
export async function cancelRebuild(sql: Queryable, { id }: Tenant, collectionId: string): Promise<void> {
  await sql.query(`DELETE FROM ${table} WHERE tenant_id = $1 AND collection_id = $2`, [id, collectionId]);
}
