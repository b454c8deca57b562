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

/** Indexes are swapped seldom: that three lookups in a row come too late does not happen to a healthy site. */
const maxAttempts = 3;
const retryAfterSeconds = 2;
const maxCollections = searchLimits.collectionsPerSearch;

/** What the engine is asked, with how to name a collection of its answer. */
export interface LiveSearch {
  indexes: SearchIndex[];
  slugOf: (collectionId: string) => string;
}

/**
 * Searches what is live of the asked collections: those that can be searched and are not hidden; names of
 * others are ignored (contract 22).
 * @throws QuireError VALIDATION_ERROR when they are more than are searched at once: to leave some out would
 *   look as if nothing was found in them; SERVICE_UNAVAILABLE when the engine is down, has lost one of the
 *   indexes, which is built anew then, or does not hold drafts in one yet: fewer hits without a word would
 *   look like all there are.
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

/** Whether the row still names the index that the engine lacks: else it was swapped after the row was read. */
async function isStillLive(ctx: Context, { collectionId, generation }: SearchIndexMissing): Promise<boolean> {
  const live = await selectLiveIndexes(ctx.db, undefined, Number.MAX_SAFE_INTEGER);
  return live.some((index) => index.collectionId === collectionId && index.generation === generation);
}

function indexRebuildingError(): QuireError {
  return new QuireError('SERVICE_UNAVAILABLE', 'A search index is being rebuilt. Retry later.', {
    retryAfterSeconds,
  });
}
