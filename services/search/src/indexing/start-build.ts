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

/** Time for the first step of a build before the task runner continues it. */
const gracePeriodSeconds = 30;

/**
 * Starts the build of a collection's index with its current fields and settings, beside the live one. A running build
 * with the same spec continues; another one is retired. The engine creates the index before the row of the generation
 * is visible, so an index that is missing later has been lost.
 * @param collection the fields, read from content. If they are outdated, the build detects it and starts the next one
 * @param isDeferred whether the task runner does the build, immediately, and not the caller
 * @param isForced whether to replace a running build with the same spec, because the engine has lost its index
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
    // The settings are read with the number: a change of settings starts a build with a greater number.
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
