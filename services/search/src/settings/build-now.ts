import type { Context } from '@quire/context';
import { SearchIndexMissing } from '@quire/search-engine';
import { build, dropRetired } from '../building/index.js';
import { generationsOf, searchIndex } from '../collections/index.js';
import type { SearchServices } from '../search-services.js';

/** Somewhat less than the gateway waits for an answer. What takes longer is finished by the worker. */
const withinMs = 50_000;

/**
 * Goes on with what is being built of a collection while the client waits. What was searched before is dropped, now or, where that
 * fails, when the collection is next tended.
 * @returns how many entries can be found; of a build that takes longer, how many so far
 * @throws QuireError SERVICE_UNAVAILABLE: the worker goes on then
 */
export async function buildNow(
  ctx: Context,
  services: SearchServices,
  collectionId: string,
): Promise<number> {
  await build(ctx, services, collectionId, { withinMs });
  await dropRetired(ctx, services, collectionId).catch(() => undefined);
  const generations = await generationsOf(ctx.db, collectionId);
  const newest = generations.findLast(({ state }) => state !== 'retired');
  return newest ? countOf(ctx, services, searchIndex(collectionId, newest)) : 0;
}

/** How many published entries can be found in an index; none where it is lost. */
export async function countOf(
  ctx: Context,
  services: SearchServices,
  index: ReturnType<typeof searchIndex>,
): Promise<number> {
  try {
    return await services.indexesOf(ctx).count(index, 'published');
  } catch (error) {
    if (error instanceof SearchIndexMissing) return 0;
    throw error;
  }
}
