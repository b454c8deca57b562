import type { Context } from '@quire/context';
import type { SearchServices } from '../../search-services.js';
import { onLiveIndexes } from '../on-live-indexes.js';
import type { Suggestions, SuggestQuestion } from '../queries.schemas.js';

/**
 * Published entries whose title begins with the text (contract 22).
 * @throws QuireError VALIDATION_ERROR for more than a hundred collections, SERVICE_UNAVAILABLE when the engine is down or an index is being rebuilt.
 */
export async function suggest(
  ctx: Context,
  services: SearchServices,
  { q: text, collections, locale, limit }: SuggestQuestion,
): Promise<Suggestions> {
  return onLiveIndexes(ctx, { collections, status: 'published' }, async ({ indexes, slugOf }) => {
    const request = { text, indexes, limit, ...(locale === undefined ? {} : { locale }) };
    const found = await services.indexesOf(ctx).suggest(request);
    return {
      items: found.map(({ collectionId, ...suggestion }) => ({
        collection: slugOf(collectionId),
        ...suggestion,
      })),
    };
  });
}
