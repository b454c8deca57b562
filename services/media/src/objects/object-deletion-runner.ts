import type { Queryable } from '@quire/database';
import type { ObjectStore } from '@quire/object-store';
import type { Logger } from '@quire/observability';
import { WorkQueueRunner } from '@quire/work-queue';
import {
  deferObjectDeletion,
  deleteUnreadyItem,
  objectDeletions,
  selectKeptUntil,
  type ObjectDeletion,
} from './object-deletions.repository.js';

export interface ObjectDeletionRunnerDeps {
  /** The shared schema of each database of the service. */
  databases: readonly Queryable[];
  store: ObjectStore;
  /** The data of a tenant, or undefined when the tenant is deleted. */
  tenantDatabase: (tenantId: string) => Promise<Queryable | undefined>;
  logger: Logger;
}

/** Deletes due objects: of interrupted uploads, unconfirmed ones, and items deleted while the store was down. */
export function objectDeletionRunner(deps: ObjectDeletionRunnerDeps): WorkQueueRunner<ObjectDeletion> {
  const { databases, logger } = deps;
  return new WorkQueueRunner({
    databases,
    logger,
    table: objectDeletions,
    process: (sql, deletion) => deleteObject(sql, deletion, deps),
    failureMessage: 'object deletion rescheduled',
    fieldsOf: ({ tenantId, objectKey }) => ({ tenant: tenantId, objectKey }),
    failure: 'object deletion failed',
  });
}

/** Deletes the item first, so that no item is without its bytes. Objects that a site export needs wait for its end. */
async function deleteObject(
  sql: Queryable,
  deletion: ObjectDeletion,
  { store, tenantDatabase }: ObjectDeletionRunnerDeps,
): Promise<void> {
  const { objectKey, tenantId, itemId } = deletion;
  const tenant = await tenantDatabase(tenantId);
  if (tenant && itemId !== null) await deleteUnreadyItem(tenant, itemId);
  const keptUntil = tenant ? await selectKeptUntil(tenant, objectKey) : null;
  if (keptUntil) return deferObjectDeletion(sql, deletion, keptUntil);
  await store.delete(objectKey);
  await objectDeletions.complete(sql, deletion);
}
