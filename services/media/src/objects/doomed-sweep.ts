import type { Sql } from '@quire/database';
import type { ObjectStore } from '@quire/object-store';
import type { Logger } from '@quire/observability';
import { Sweep } from '@quire/runtime';
import { claimDoomed, forgetDoomed, type DoomedObject } from './doomed-objects.repository.js';

export interface DoomedSweepParts {
  /** The shared schema of each database of the service. */
  databases: readonly Sql[];
  store: ObjectStore;
  /** The data of a tenant, or undefined when the tenant is gone. */
  tenantDatabase: (tenantId: string) => Promise<Sql | undefined>;
  logger: Logger;
}

/**
 * Deletes objects whose time has come: of uploads that were broken off, of announced ones that nobody confirmed, of items that were
 * deleted while the store was down. Several may run at once: each object is claimed by one of them.
 */
export function doomedSweep(parts: DoomedSweepParts): Sweep<DoomedObject> {
  const { databases, logger } = parts;
  return new Sweep({
    databases,
    logger,
    claim: claimDoomed,
    take: (sql, object) => remove(sql, object, parts),
    setback: 'an object is deleted later',
    fieldsOf: ({ tenantId, objectKey }) => ({ tenant: tenantId, objectKey }),
    failure: 'objects cannot be deleted now',
  });
}

/** First the row, so that no item is left without its bytes. */
async function remove(
  sql: Sql,
  { objectKey, tenantId, itemId }: DoomedObject,
  { store, tenantDatabase }: DoomedSweepParts,
): Promise<void> {
  const tenant = itemId === null ? undefined : await tenantDatabase(tenantId);
  if (tenant) await tenant.query("DELETE FROM media_items WHERE id = $1 AND status <> 'ready'", [itemId]);
  await store.delete(objectKey);
  await forgetDoomed(sql, objectKey);
}
