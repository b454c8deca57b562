import type { Reconcile } from '@quire/tenancy';
import { outdateGenerations, selectEnabledCollections } from '../collections/index.js';
import { enqueueReconciliations, selectReconciled } from '../tasks/index.js';

/**
 * Makes sure that the index of each searchable collection is reconciled. A rebuild is made beside the live index, which
 * serves searches until then.
 */
export const reconcileSearch: Reconcile = async (tx, { id }, { rebuilds }) => {
  const reconciled = await selectReconciled(tx, id);
  const enabled = (await selectEnabledCollections(tx)).map(({ collectionId }) => collectionId);
  const forgotten = enabled.filter((collectionId) => !reconciled.has(collectionId));
  if (rebuilds) await outdateGenerations(tx);
  await enqueueReconciliations(tx, { id }, rebuilds ? enabled : forgotten);
  return {
    'search indexes without work': forgotten.length,
    'search indexes to rebuild': rebuilds ? enabled.length : 0,
  };
};
