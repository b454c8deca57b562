import type { Context } from '@quire/context';
import {
  selectCollection,
  selectGenerations,
  deleteCollection,
  disableCollection,
  setHidden,
  setIndexLost,
} from '../collections/index.js';
import { undefinedIfNotFound } from '../clients/index.js';
import type { SearchDeps } from '../search-deps.js';
import { enqueueReconciliation } from '../tasks/index.js';
import { startBuild } from './start-build.js';
import { build, deleteRetired } from './build.js';
import { isSameSpec, desiredSpec } from './index-spec.js';
import { checkIndexHealth } from './check-index-health.js';

/**
 * `unchanged`: the index was consistent. `unconfirmed`: a later full check decides. `incomplete`: the build takes
 * longer. `disabled`, `deleted`: the collection has no index any more.
 */
export type ReconcileOutcome =
  'unchanged' | 'unconfirmed' | 'rebuilt' | 'incomplete' | 'disabled' | 'deleted';

export interface ReconcileOptions {
  timeBudgetMs: number;
  /**
   * Whether to check for unreported failures: an index that the engine lost, a request that died before its build.
   */
  isFullCheck: boolean;
}

/**
 * Reconciles a collection's index with its current fields and settings: rebuilds it if missing or inconsistent, deletes
 * it when the collection is deleted or its search is disabled.
 * @throws SearchEngineUnavailable, QuireError SERVICE_UNAVAILABLE
 */
export async function reconcileIndex(
  ctx: Context,
  deps: SearchDeps,
  collectionId: string,
  { timeBudgetMs, isFullCheck }: ReconcileOptions,
): Promise<ReconcileOutcome> {
  const row = await selectCollection(ctx.db, collectionId);
  if (!row) return 'deleted';
  const collection = await undefinedIfNotFound(deps.content.collection(ctx, row.slug));
  if (collection?.id !== collectionId) {
    await deleteCollectionIndexes(ctx, deps, collectionId);
    return 'deleted';
  }
  if (!row.enabled) {
    await deleteRetired(ctx, deps, collectionId);
    return 'disabled';
  }
  await setHidden(ctx.db, collectionId, collection.hidden);
  const generations = await selectGenerations(ctx.db, collectionId);
  const live = generations.find(({ state }) => state === 'live');
  const newest = generations.find(({ state }) => state === 'building') ?? live;
  if (!newest) {
    // The request that enables the search subscribes and starts the first build. A full check repairs one that failed;
    // any other check must not, because subscribing changes the collection, which leads here again.
    if (!isFullCheck) return 'unchanged';
    await deps.content.setSubscription(ctx, row.slug, true, { isBackground: true });
  }
  const isUpToDate = newest !== undefined && isSameSpec(newest, desiredSpec(row, collection));
  const isChecked = isUpToDate && newest === live && isFullCheck && !row.isLost;
  const health = isChecked ? await checkIndexHealth(ctx, deps, row, newest) : undefined;
  const isInconsistent = health === 'inconsistent' || (newest === live && row.isLost);
  if (!isUpToDate || isInconsistent) await startBuild(ctx, deps, collectionId, collection);
  const hasWork = !isUpToDate || isInconsistent || newest !== live;
  const end = await build(ctx, deps, collectionId, { timeBudgetMs });
  if (end === 'incomplete') return 'incomplete';
  await deleteRetired(ctx, deps, collectionId);
  if (hasWork) return 'rebuilt';
  return health === 'unconfirmed' ? 'unconfirmed' : 'unchanged';
}

/** Marks the index as lost, which blocks searches, and schedules its rebuild. */
export async function markIndexLost(
  ctx: Context,
  { collectionId, generation }: { collectionId: string; generation: number },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await setIndexLost(tx, collectionId, generation))) return;
    await enqueueReconciliation(tx, ctx.principal.tenant, collectionId);
  });
}

/** Deletes all indexes and settings of a deleted collection. */
async function deleteCollectionIndexes(ctx: Context, deps: SearchDeps, collectionId: string): Promise<void> {
  await disableCollection(ctx.db, collectionId);
  await deps.indexesOf(ctx).dropCollection(collectionId);
  await deleteCollection(ctx.db, collectionId);
}
