import type { Context } from '@quire/context';
import { SearchIndexMissing } from '@quire/search-engine';
import { build, deleteRetired } from '../indexing/index.js';
import { selectGenerations, toSearchIndex } from '../collections/index.js';
import type { SearchDeps } from '../search-deps.js';

/** Somewhat less than the gateway waits for an answer. What takes longer is finished by the worker. */
const timeBudgetMs = 50_000;

/**
 * Goes on with what is being built of a collection while the client waits. What was searched before is dropped, now or,
 * where that fails, when the collection is next tended.
 * @returns how many entries can be found; of a build that takes longer, how many so far
 * @throws QuireError SERVICE_UNAVAILABLE: the worker goes on then
 */
export async function buildInRequest(ctx: Context, deps: SearchDeps, collectionId: string): Promise<number> {
  await build(ctx, deps, collectionId, { timeBudgetMs });
  await deleteRetired(ctx, deps, collectionId).catch(() => undefined);
  const generations = await selectGenerations(ctx.db, collectionId);
  const newest = generations.findLast(({ state }) => state !== 'retired');
  return newest ? countPublished(ctx, deps, toSearchIndex(collectionId, newest)) : 0;
}

/** How many published entries can be found in an index; none where it is lost. */
export async function countPublished(
  ctx: Context,
  deps: SearchDeps,
  index: ReturnType<typeof toSearchIndex>,
): Promise<number> {
  try {
    return await deps.indexesOf(ctx).count(index, 'published');
  } catch (error) {
    if (error instanceof SearchIndexMissing) return 0;
    throw error;
  }
}
