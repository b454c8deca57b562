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
