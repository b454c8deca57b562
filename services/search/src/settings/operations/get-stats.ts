import type { Context } from '@quire/context';
import { enabledCollections, generationsOf, searchIndex } from '../../collections/index.js';
import type { SearchServices } from '../../search-services.js';
import { countOf } from '../build-now.js';
import type { SearchStats } from '../settings.schemas.js';

/** How many entries can be found of each collection that can be searched, and since when its index stands (contract 22). */
export async function getStats(ctx: Context, services: SearchServices): Promise<SearchStats> {
  const stats: [string, SearchStats['collections'][string]][] = [];
  for (const { collectionId, slug, lastRebuiltAt } of await enabledCollections(ctx.db)) {
    const generations = await generationsOf(ctx.db, collectionId);
    const live = generations.find(({ state }) => state === 'live');
    const indexed = live ? await countOf(ctx, services, searchIndex(collectionId, live)) : 0;
    stats.push([slug, { indexed, ...(lastRebuiltAt === null ? {} : { lastRebuilt: lastRebuiltAt }) }]);
  }
  return { collections: Object.fromEntries(stats) };
}
