import type { Context } from '@quire/context';
import { selectEnabledCollections, selectGenerations, toSearchIndex } from '../../collections/index.js';
import type { SearchDeps } from '../../search-deps.js';
import { countPublished } from '../build-in-request.js';
import type { SearchStats } from '../settings.schemas.js';

/**
 * How many entries can be found of each collection that can be searched, and since when its index stands (contract 22).
 */
export async function getSearchStats(ctx: Context, deps: SearchDeps): Promise<SearchStats> {
  const stats: [string, SearchStats['collections'][string]][] = [];
  for (const { collectionId, slug, lastRebuiltAt } of await selectEnabledCollections(ctx.db)) {
    const generations = await selectGenerations(ctx.db, collectionId);
    const live = generations.find(({ state }) => state === 'live');
    const indexed = live ? await countPublished(ctx, deps, toSearchIndex(collectionId, live)) : 0;
    stats.push([slug, { indexed, ...(lastRebuiltAt === null ? {} : { lastRebuilt: lastRebuiltAt }) }]);
  }
  return { collections: Object.fromEntries(stats) };
}
