import type { Context } from '@quire/context';
import { cursorScope, decodeCursor, encodeCursor } from '@quire/database';
import { QuireError } from '@quire/errors';
import { can } from '@quire/permissions';
import { searchLimits, searchStatuses, type SearchStatus } from '@quire/search-engine';
import type { SearchDeps } from '../search-deps.js';
import type { SearchQuery, SearchResults, Suggestions, SuggestQuery } from './search.schemas.js';
import { withLiveIndexes } from './with-live-indexes.js';

/**
 * @returns one page of hits, best first (contract 22; decision 40): `published` matches live text, `draft` and
 *   `scheduled` the edited text, `all` either. Other statuses match nothing; callers without the right to read drafts
 *   get published entries for every status. Pages end after `searchLimits.maxHits` hits, because engines rank all hits
 *   for each page.
 * @throws QuireError VALIDATION_ERROR for more than a hundred collections, INVALID_CURSOR,
 *   SERVICE_UNAVAILABLE when the engine is down or an index is being rebuilt.
 */
export async function search(
  ctx: Context,
  deps: SearchDeps,
  { q: text, collections, locale, status, limit, cursor }: SearchQuery,
): Promise<SearchResults> {
  const { tenant } = ctx.principal;
  const allowedStatus = can(ctx.principal, 'content:read_drafts') ? status : 'published';
  const filters = { collections, locale, status: allowedStatus };
  const scope = cursorScope({ operation: 'search', tenant: tenant.id, text, ...filters });
  const offset = offsetOf(scope, cursor);
  if (!isSearchStatus(allowedStatus)) return { items: [] };
  return withLiveIndexes(ctx, { collections, status: allowedStatus }, async ({ indexes, slugOf }) => {
    const request = {
      text,
      indexes,
      status: allowedStatus,
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

/**
 * @returns published entries whose title begins with the text (contract 22).
 * @throws QuireError VALIDATION_ERROR for more than a hundred collections, SERVICE_UNAVAILABLE when the engine is down
 *   or an index is being rebuilt.
 */
export async function searchSuggest(
  ctx: Context,
  deps: SearchDeps,
  { q: text, collections, locale, limit }: SuggestQuery,
): Promise<Suggestions> {
  return withLiveIndexes(ctx, { collections, status: 'published' }, async ({ indexes, slugOf }) => {
    const request = { text, indexes, limit, ...(locale === undefined ? {} : { locale }) };
    const suggestions = await deps.indexesOf(ctx).suggest(request);
    return {
      items: suggestions.map(({ collectionId, ...suggestion }) => ({
        collection: slugOf(collectionId),
        ...suggestion,
      })),
    };
  });
}

const isSearchStatus = (status: string): status is SearchStatus =>
  (searchStatuses as readonly string[]).includes(status);

/** The opaque cursor of a page: the number of hits before it, since hits are ordered by relevance. */
const cursorAt = (scope: string, offset: number) => encodeCursor(scope, { value: offset, id: '' });

/** @returns the number of hits before a page. @throws QuireError INVALID_CURSOR for the cursor of another search. */
function offsetOf(scope: string, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const { value, id } = decodeCursor(scope, cursor, 'integer');
  if (typeof value === 'number' && value > 0 && value <= searchLimits.maxHits && id === '') return value;
  throw new QuireError('INVALID_CURSOR', 'cursor: is not one that this search returned');
}
