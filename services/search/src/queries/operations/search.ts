import type { Context } from '@quire/context';
import { cursorScope } from '@quire/database';
import { can } from '@quire/permissions';
import type { SearchServices } from '../../search-services.js';
import { onLiveIndexes } from '../on-live-indexes.js';
import { cursorAt, offsetOf } from '../search-cursor.js';
import type { SearchQuestion, SearchResults } from '../queries.schemas.js';

/**
 * A page of what is found, best first (contract 22). Indexes hold published entries alone, so that another status finds nothing;
 * whoever may not read drafts gets what is published whatever he asks for. Pages end after `searchLimits.deepestHit` hits, whatever
 * else matches: nobody reads so far, and engines would rank all of it for each page.
 * @throws QuireError VALIDATION_ERROR for more than a hundred collections, INVALID_CURSOR, SERVICE_UNAVAILABLE when the engine is down or an index is being rebuilt.
 */
export async function search(
  ctx: Context,
  services: SearchServices,
  { q: text, collections, locale, status, limit, cursor }: SearchQuestion,
): Promise<SearchResults> {
  const { tenant } = ctx.principal;
  const isForPublished = status === 'published' || !can(ctx.principal, 'content:read_drafts');
  const filters = { collections, locale, isForPublished };
  const scope = cursorScope({ operation: 'search', tenant: tenant.id, text, ...filters });
  const offset = offsetOf(scope, cursor);
  if (!isForPublished) return { items: [] };
  return onLiveIndexes(ctx, collections, async ({ indexes, slugOf }) => {
    const request = { text, indexes, limit, offset, ...(locale === undefined ? {} : { locale }) };
    const { hits, hasMore } = await services.indexesOf(ctx).search(request);
    const items = hits.map(({ collectionId, title, snippet, ...hit }) => ({
      collection: slugOf(collectionId),
      ...hit,
      ...(title === null ? {} : { title }),
      ...(snippet === undefined ? {} : { snippet }),
    }));
    return hasMore ? { items, nextCursor: cursorAt(scope, offset + limit) } : { items };
  });
}
