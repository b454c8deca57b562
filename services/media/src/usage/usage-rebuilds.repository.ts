import { identifier, type Queryable } from '@quire/database';
import { sharedSchema, type Tenant } from '@quire/tenancy';
import { defineWorkTable, exponentialBackoff, type ClaimOf } from '@quire/work-queue';

const table = `${identifier(sharedSchema('media'))}.usage_rebuilds`;

/**
 * Collections whose index is to be rebuilt. A rebuild may outlast its claim: a worker that claims it then sees that the
 * repair is alive, and the first worker still completes the request.
 */
export const usageRebuilds = defineWorkTable<
  { tenantId: string; collectionId: string },
  { collectionSlug: string; requestedAt: string }
>({
  name: table,
  key: { tenantId: 'tenant_id', collectionId: 'collection_id' },
  payload: { collectionSlug: 'collection_slug', requestedAt: 'requested_at' },
  version: 'requestedAt',
  leaseSeconds: 60,
  backoff: exponentialBackoff({ initialSeconds: 60, maxSeconds: 3_600 }),
  onConflict: 'UPDATE SET requested_at = now(), due_at = now(), attempts = 0',
});

/** A rebuild that a runner has claimed. */
export type ClaimedRebuild = ClaimOf<typeof usageRebuilds>;

/** Deletes the requests of a site, claimed or not. */
export async function deleteAllRebuilds(sql: Queryable, { id }: Tenant): Promise<void> {
  await sql.query(`DELETE FROM ${table} WHERE tenant_id = $1`, [id]);
}

/**
 * Requests the rebuild of the index of each tracked collection, or only of those that are not complete and have neither
 * a request nor a running repair.
 * @returns the number of requests
 */
export async function requestTrackedRebuilds(
  sql: Queryable,
  tenantId: string,
  { isForced }: { isForced: boolean },
): Promise<number> {
  const collections = await sql.query<{ collectionId: string; collectionSlug: string }>(
    `SELECT collection_id AS "collectionId", collection_slug AS "collectionSlug" FROM media_usage_coverage c
     WHERE is_tracked AND ($2 OR status <> 'complete' AND coalesce(repair_expires_at < now(), true)
       AND NOT EXISTS (SELECT FROM ${table} r WHERE r.tenant_id = $1 AND r.collection_id = c.collection_id))`,
    [tenantId, isForced],
  );
  const requests = collections.map((collection) => ({ tenantId, ...collection }));
  await usageRebuilds.enqueue(sql, requests);
  return requests.length;
}
