import type { Context } from '@quire/context';
import { invalidInput, QuireError } from '@quire/errors';
import {
  indexFormat,
  SearchIndexMissing,
  searchLimits,
  type SearchIndex,
  type SearchStatus,
} from '@quire/search-engine';
import { markIndexLost } from '../indexing/index.js';
import { selectLiveIndexes, type LiveIndex } from '../collections/index.js';

/** Index swaps are rare: on a healthy site three lookups in a row are never outdated. */
const maxAttempts = 3;
const retryAfterSeconds = 2;
const maxCollections = searchLimits.collectionsPerSearch;

/** The indexes to search, and the collection names of the engine's hits. */
export interface LiveSearch {
  indexes: SearchIndex[];
  slugOf: (collectionId: string) => string;
}

/**
 * Searches the live indexes of the given collections; names of hidden and not searchable ones are ignored (contract
 * 22). Incomplete results are errors, never fewer hits.
 * @throws QuireError VALIDATION_ERROR for more collections than one search takes, SERVICE_UNAVAILABLE when the engine
 *   is down, has lost one of the indexes (which is rebuilt then), or has an index without drafts.
 */
export async function withLiveIndexes<Result>(
  ctx: Context,
  { collections, status }: { collections: readonly string[] | undefined; status: SearchStatus },
  search: (live: LiveSearch) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const live = await selectLiveIndexes(ctx.db, collections, maxCollections + 1);
    if (live.length > maxCollections)
      throw invalidInput([
        { path: 'collections', message: `must name ${maxCollections} or fewer that can be searched` },
      ]);
    const isUsable = ({ isLost, format }: LiveIndex) =>
      !isLost && (status === 'published' || format >= indexFormat);
    if (!live.every(isUsable)) throw indexRebuildingError();
    const slugs = new Map(live.map(({ collectionId, slug }) => [collectionId, slug]));
    try {
      return await search({
        indexes: live.map(indexOf),
        slugOf: (collectionId) => slugs.get(collectionId) ?? '',
      });
    } catch (error) {
      if (!(error instanceof SearchIndexMissing)) throw error;
      if (await isStillLive(ctx, error)) {
        await markIndexLost(ctx, error);
        throw indexRebuildingError();
      }
    }
  }
  throw indexRebuildingError();
}

function indexOf({ slug: _, isLost: __, ...index }: LiveIndex): SearchIndex {
  return index;
}

/** Whether the missing index is still the live one; if not, it was swapped after the row was read. */
async function isStillLive(ctx: Context, { collectionId, generation }: SearchIndexMissing): Promise<boolean> {
  const live = await selectLiveIndexes(ctx.db, undefined, Number.MAX_SAFE_INTEGER);
  return live.some((index) => index.collectionId === collectionId && index.generation === generation);
}

function indexRebuildingError(): QuireError {
  return new QuireError('SERVICE_UNAVAILABLE', 'A search index is being rebuilt. Retry later.', {
    retryAfterSeconds,
  });
}
