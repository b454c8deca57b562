import type { Context } from '@quire/context';
import {
  searchIndex,
  writeDifference,
  writeLost,
  type CollectionRow,
  type GenerationRow,
} from '../collections/index.js';
import type { SearchServices } from '../search-services.js';
import { hasEntriesToIndex } from '../tasks/index.js';

/** A server that is behind has nothing to be looked at. */
const settlePatienceMs = 2_000;

/**
 * Whether the index that is searched has what can be found. When the engine lost it, searches wait from now
 * on; when only some entries are not as they should be, they go on.
 * @throws SearchEngineUnavailable, QuireError SERVICE_UNAVAILABLE
 */
export async function isWhole(
  ctx: Context,
  services: SearchServices,
  row: CollectionRow,
  live: GenerationRow,
): Promise<boolean> {
  const site = services.indexesOf(ctx);
  const index = searchIndex(row.collectionId, live);
  if (!(await site.isIntact(index))) {
    await writeLost(ctx.db, row.collectionId, live.generation);
    return false;
  }
  if (await site.hasFailed(index)) return false;
  // What comes late will come.
  if (await hasEntriesToIndex(ctx.db, ctx.principal.tenant.id, row.collectionId)) return true;
  if (!(await site.settle(index, { patienceMs: settlePatienceMs }))) return true;
  const { published, all } = await services.content.count(ctx, row.slug);
  const indexed = { published: await site.count(index, 'published'), all: await site.count(index, 'all') };
  const isComplete = indexed.published === published && indexed.all === all;
  const difference = isComplete
    ? null
    : `${indexed.published} of ${published} published, ${indexed.all} of ${all}`;
  // Entries that change right now make a difference that passes; only one that stays is a fault.
  if (difference === null || difference !== row.difference) {
    await writeDifference(ctx.db, row.collectionId, difference);
    return true;
  }
  if (indexed.all === 0) await writeLost(ctx.db, row.collectionId, live.generation);
  return false;
}
