import type { Context } from '@quire/context';
import { cursorScope } from '@quire/database';
import { can } from '@quire/permissions';
import { searchStatuses, type SearchStatus } from '@quire/search-engine';
import type { SearchDeps } from '../../search-deps.js';
import { withLiveIndexes } from '../with-live-indexes.js';
import { cursorAt, offsetOf } from '../search-cursor.js';
import type { SearchQuery, SearchResults } from '../search.schemas.js';

/**
 * A page of what is found, best first (contract 22; decision 40): `published` by live text, `draft` and
 * `scheduled` by the text that is edited, `all` by either. Other statuses find nothing; whoever may not read
 * drafts gets what is published whatever they ask for. Pages end after `searchLimits.maxHits` hits,
 * whatever else matches: nobody reads so far, and engines would rank all of it for each page.
 * @throws QuireError VALIDATION_ERROR for more than a hundred collections, INVALID_CURSOR,
 *   SERVICE_UNAVAILABLE when the engine is down or an index is being rebuilt.
 */
export async function search(
  ctx: Context,
  deps: SearchDeps,
  { q: text, collections, locale, status, limit, cursor }: SearchQuery,
): Promise<SearchResults> {
  const { tenant } = ctx.principal;
  const found = can(ctx.principal, 'content:read_drafts') ? status : 'published';
  const filters = { collections, locale, status: found };
  const scope = cursorScope({ operation: 'search', tenant: tenant.id, text, ...filters });
  const offset = offsetOf(scope, cursor);
  if (!isSearchStatus(found)) return { items: [] };
  return withLiveIndexes(ctx, { collections, status: found }, async ({ indexes, slugOf }) => {
    const request = {
      text,
      indexes,
      status: found,
      limit,
      offset,
      ...(locale === undefined ? {} : { locale }),
    };
    const { hits, hasMore } = await deps.indexesOf(ctx).search(request);
    const items = hits.map(({ collectionId, title, snippet, ...hit }) => ({
      collection: slugOf(collectionId),
      ...hit,
      ...(title === null ? {} : { title }),
      ...(snippet === undefined ? {} : { snippet }),
    }));
    return hasMore ? { items, nextCursor: cursorAt(scope, offset + limit) } : { items };
  });
}

const isSearchStatus = (status: string): status is SearchStatus =>
  (searchStatuses as readonly string[]).includes(status);
