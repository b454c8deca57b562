import type { Reconcile } from '@quire/tenancy';
import { repairDeletionWork } from '../deletions/index.js';
import { repairSchedules } from '../entries/scheduling/index.js';
import { contentTableName, selectRegisteredCollections } from '../schema/index.js';

/** Reconciles the schedules of entries, and the work of deletions. */
export const reconcileContent: Reconcile = async (tx, { id }) => {
  const collections = await selectRegisteredCollections(tx);
  const tables = collections.map(({ slug }) => ({ slug, table: contentTableName(slug) }));
  const schedules = await repairSchedules(tx, id, tables);
  return {
    'missing schedules': schedules.missing,
    'schedules at another time': schedules.outdated,
    'schedules without an entry': schedules.extra,
    'deletions without work': await repairDeletionWork(tx, id),
  };
};
