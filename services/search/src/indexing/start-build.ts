import type { Context } from '@quire/context';
import {
  selectCollection,
  selectGenerations,
  insertGeneration,
  toSearchIndex,
} from '../collections/index.js';
import type { ContentCollection } from '../clients/index.js';
import type { SearchDeps } from '../search-deps.js';
import { enqueueReconciliation } from '../tasks/index.js';
import { isSameSpec, desiredSpec } from './index-spec.js';

/** How long whoever begins a build has for its first step before the sweep goes on with it. */
const gracePeriodSeconds = 30;

/**
 * Begins to build the index that a collection is to have by its fields and its present settings, beside the
 * one that is searched. Where the same one is being built already, that goes on; another one that is being
 * built is given up. The engine has the index before anybody can see its row: one that is missing later has
 * been lost.
 * @param collection what content says of it; where that is older than the fields, the build finds out and
 *   begins the next one
 * @param isDeferred true where nobody here goes on with it: the sweep does at once
 * @param isForced true where even the same one is of no use, because the engine has lost it
 * @throws SearchEngineUnavailable
 */
export async function startBuild(
  ctx: Context,
  deps: SearchDeps,
  collectionId: string,
  collection: ContentCollection,
  { isForced = false, isDeferred = false }: { isForced?: boolean; isDeferred?: boolean } = {},
): Promise<void> {
  for (;;) {
    const row = await selectCollection(ctx.db, collectionId);
    if (!row?.enabled) return;
    // By settings that are read with the number: whoever changes them begins a build by a greater one.
    const spec = desiredSpec(row, collection);
    const generations = await selectGenerations(ctx.db, collectionId);
    const building = generations.find(({ state }) => state === 'building');
    if (building && !isForced && isSameSpec(building, spec)) return;
    const name = { collectionId, generation: row.lastGeneration + 1 };
    await deps.indexesOf(ctx).create(toSearchIndex(collectionId, { ...spec, ...name }));
    const isStarted = await ctx.db.transaction(async (tx) => {
      await enqueueReconciliation(tx, ctx.principal.tenant, collectionId, {
        afterSeconds: isDeferred ? 0 : gracePeriodSeconds,
      });
      return insertGeneration(tx, name, spec);
    });
    if (isStarted) return;
  }
}
