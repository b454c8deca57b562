import type { Context } from '@quire/context';
import { invalidInput, QuireError } from '@quire/errors';
import {
  indexFormat,
  SearchIndexMissing,
  searchLimits,
  type SearchIndex,
  type SearchStatus,
} from '@quire/search-engine';
import { reportLost } from '../building/index.js';
import { liveIndexes, type LiveIndex } from '../collections/index.js';

/** Indexes are swapped seldom: that three lookups in a row come too late does not happen to a healthy site. */
const maximumAttempts = 3;
const retryAfterSeconds = 2;
const most = searchLimits.collectionsPerSearch;

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
export async function onLiveIndexes<Result>(
  ctx: Context,
  { collections, status }: { collections: readonly string[] | undefined; status: SearchStatus },
  search: (live: LiveSearch) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; attempt <= maximumAttempts; attempt += 1) {
    const live = await liveIndexes(ctx.db, collections, most + 1);
    if (live.length > most)
      throw invalidInput([
        { path: 'collections', message: `must name ${most} or fewer that can be searched` },
      ]);
    const isUsable = ({ isLost, format }: LiveIndex) =>
      !isLost && (status === 'published' || format >= indexFormat);
    if (!live.every(isUsable)) throw isBeingRebuilt();
    const slugs = new Map(live.map(({ collectionId, slug }) => [collectionId, slug]));
    try {
      return await search({
        indexes: live.map(indexOf),
        slugOf: (collectionId) => slugs.get(collectionId) ?? '',
      });
    } catch (error) {
      if (!(error instanceof SearchIndexMissing)) throw error;
      if (await isStillLive(ctx, error)) {
        await reportLost(ctx, error);
        throw isBeingRebuilt();
      }
    }
  }
  throw isBeingRebuilt();
}

function indexOf({ slug: _, isLost: __, ...index }: LiveIndex): SearchIndex {
  return index;
}

/** Whether the row still names the index that the engine lacks: else it was swapped after the row was read. */
async function isStillLive(ctx: Context, { collectionId, generation }: SearchIndexMissing): Promise<boolean> {
  const live = await liveIndexes(ctx.db, undefined, Number.MAX_SAFE_INTEGER);
  return live.some((index) => index.collectionId === collectionId && index.generation === generation);
}

function isBeingRebuilt(): QuireError {
  return new QuireError('SERVICE_UNAVAILABLE', 'A search index is being rebuilt; try again shortly', {
    retryAfterSeconds,
  });
}
