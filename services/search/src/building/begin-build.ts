import type { Context } from '@quire/context';
import { collectionById, generationsOf, insertGeneration, searchIndex } from '../collections/index.js';
import type { ContentCollection } from '../content/index.js';
import type { SearchServices } from '../search-services.js';
import { addTask } from '../tasks/index.js';
import { isSameSpec, wantedSpec } from './index-spec.js';

/** How long whoever begins a build has for its first step before the sweep goes on with it. */
const headStartSeconds = 30;

/**
 * Begins to build the index that a collection is to have by its fields and its present settings, beside the
 * one that is searched. Where the same one is being built already, that goes on; another one that is being
 * built is given up. The engine has the index before anybody can see its row: one that is missing later has
 * been lost.
 * @param collection what content says of it; where that is older than the fields, the build finds out and
 *   begins the next one
 * @param isLeft true where nobody here goes on with it: the sweep does at once
 * @param isAnew true where even the same one is of no use, because the engine has lost it
 * @throws SearchEngineUnavailable
 */
export async function beginBuild(
  ctx: Context,
  services: SearchServices,
  collectionId: string,
  collection: ContentCollection,
  { isAnew = false, isLeft = false }: { isAnew?: boolean; isLeft?: boolean } = {},
): Promise<void> {
  for (;;) {
    const row = await collectionById(ctx.db, collectionId);
    if (!row?.enabled) return;
    // By settings that are read with the number: whoever changes them begins a build by a greater one.
    const spec = wantedSpec(row, collection);
    const generations = await generationsOf(ctx.db, collectionId);
    const building = generations.find(({ state }) => state === 'building');
    if (building && !isAnew && isSameSpec(building, spec)) return;
    const name = { collectionId, generation: row.lastGeneration + 1 };
    await services.indexesOf(ctx).create(searchIndex(collectionId, { ...spec, ...name }));
    const isBegun = await ctx.db.transaction(async (tx) => {
      const task = { tenantId: ctx.principal.tenant.id, collectionId, task: 'tend', entryId: '' } as const;
      await addTask(tx, task, { afterSeconds: isLeft ? 0 : headStartSeconds });
      return insertGeneration(tx, name, spec);
    });
    if (isBegun) return;
  }
}
