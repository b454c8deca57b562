import type { Queryable } from '@quire/database';
import type { ObjectStore } from '@quire/object-store';
import type { Logger } from '@quire/observability';
import { WorkQueueRunner } from '@quire/runtime';
import {
  claimDueObjectDeletions,
  deleteObjectDeletion,
  type ObjectDeletion,
} from './object-deletions.repository.js';

export interface ObjectDeletionRunnerDeps {
  /** The shared schema of each database of the service. */
  databases: readonly Queryable[];
  store: ObjectStore;
  /** The data of a tenant, or undefined when the tenant is gone. */
  tenantDatabase: (tenantId: string) => Promise<Queryable | undefined>;
  logger: Logger;
}

/**
 * Deletes objects whose time has come: of uploads that were broken off, of announced ones that nobody confirmed, of
 * items that were deleted while the store was down. Several may run at once: each object is claimed by one of them.
 */
export function objectDeletionRunner(deps: ObjectDeletionRunnerDeps): WorkQueueRunner<ObjectDeletion> {
  const { databases, logger } = deps;
  return new WorkQueueRunner({
    databases,
    logger,
    claim: claimDueObjectDeletions,
    take: (sql, object) => remove(sql, object, deps),
    failureMessage: 'object deletion rescheduled',
    fieldsOf: ({ tenantId, objectKey }) => ({ tenant: tenantId, objectKey }),
    failure: 'object deletion failed',
  });
}

/** First the row, so that no item is left without its bytes. */
async function remove(
  sql: Queryable,
  { objectKey, tenantId, itemId }: ObjectDeletion,
  { store, tenantDatabase }: ObjectDeletionRunnerDeps,
): Promise<void> {
  const tenant = itemId === null ? undefined : await tenantDatabase(tenantId);
  if (tenant) await tenant.query("DELETE FROM media_items WHERE id = $1 AND status <> 'ready'", [itemId]);
  await store.delete(objectKey);
  await deleteObjectDeletion(sql, objectKey);
}
