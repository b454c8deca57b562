import type { Reconcile } from '@quire/tenancy';
import { repairObjectDeletions } from '../objects/index.js';
import { requestTrackedRebuilds } from '../usage/index.js';

/** Reconciles the deletions of objects, and the index of media usage if it is activated. */
export const reconcileMedia: Reconcile = async (tx, { id }, { rebuilds }) => {
  const deletions = await repairObjectDeletions(tx, id);
  return {
    'deletions of objects in use': deletions.inUse,
    'uploads without an end': deletions.missing,
    'media usage indexes to rebuild': await requestTrackedRebuilds(tx, id, { isForced: rebuilds }),
  };
};
