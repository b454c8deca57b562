import type { Context } from '@quire/context';
import type { SearchDeps } from '../../search-deps.js';
import { withLiveIndexes } from '../with-live-indexes.js';
import type { Suggestions, SuggestQuery } from '../search.schemas.js';

/**
 * Published entries whose title begins with the text (contract 22).
 * @throws QuireError VALIDATION_ERROR for more than a hundred collections, SERVICE_UNAVAILABLE when the engine is down
 *   or an index is being rebuilt.
 */
export async function suggest(
  ctx: Context,
  deps: SearchDeps,
  { q: text, collections, locale, limit }: SuggestQuery,
): Promise<Suggestions> {
  return withLiveIndexes(ctx, { collections, status: 'published' }, async ({ indexes, slugOf }) => {
    const request = { text, indexes, limit, ...(locale === undefined ? {} : { locale }) };
    const found = await deps.indexesOf(ctx).suggest(request);
    return {
      items: found.map(({ collectionId, ...suggestion }) => ({
        collection: slugOf(collectionId),
        ...suggestion,
      })),
    };
  });
}
