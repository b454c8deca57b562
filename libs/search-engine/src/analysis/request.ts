import { searchLimits, type SearchIndex, type SearchStatus } from '../port/search-index.js';
import type { SearchRequest } from '../port/search-request.js';
import { parseQuery, type QueryTerm } from './query.js';

/** An index and the terms of the query for it. */
export interface IndexQuery {
  index: SearchIndex;
  units: readonly QueryTerm[];
}

export interface Window {
  status: SearchStatus;
  locale: string | undefined;
  limit: number;
  offset: number;
}

/** The indexes in which the text has terms, each with the terms of its tokenizer. */
export function toIndexQueries({ text, indexes }: SearchRequest): IndexQuery[] {
  assertIndexCount(indexes.length);
  return indexes
    .map((index) => ({ index, units: parseQuery(text, index.tokenizer) }))
    .filter(({ units }) => units.length > 0);
}

/** @throws RangeError for more indexes than one search allows */
export function assertIndexCount(indexes: number): void {
  if (indexes > searchLimits.collectionsPerSearch)
    throw new RangeError(`At most ${searchLimits.collectionsPerSearch} collections are searched at once`);
}

/** @throws RangeError for more documents than one batch allows */
export function assertBatch(documents: readonly { id: string }[]): void {
  if (documents.length > searchLimits.documentsPerBatch)
    throw new RangeError(`At most ${searchLimits.documentsPerBatch} documents are taken at once`);
  if (new Set(documents.map(({ id }) => id)).size < documents.length)
    throw new RangeError('A document comes once in a batch');
}

/** Finds the hits of a window; with `mustHaveAll` documents must match all terms. */
export type FindHits<Hit> = (window: Window, mustHaveAll: boolean) => Promise<Hit[]>;

/**
 * One page of a search, on either engine: documents with all terms; if no collection has any, documents with some of
 * the terms.
 */
export async function pageOf<Hit>(
  { limit, offset, status, locale }: SearchRequest,
  queries: readonly IndexQuery[],
  find: FindHits<Hit>,
): Promise<{ hits: Hit[]; hasMore: boolean }> {
  const reachable = Math.min(limit, searchLimits.maxHits - offset);
  if (queries.length === 0 || reachable <= 0) return { hits: [], hasMore: false };
  // One more hit shows whether there is a next page; there is none beyond `maxHits`.
  const wanted = { status, locale, offset, limit: Math.min(reachable + 1, searchLimits.maxHits - offset) };
  let found = await find(wanted, true);
  const canHaveSome = queries.some(({ units }) => units.length > 1);
  if (found.length === 0 && canHaveSome && (offset === 0 || (await hasNone(find, wanted))))
    found = await find(wanted, false);
  return { hits: found.slice(0, limit), hasMore: found.length > limit };
}

const hasNone = async <Hit>(find: FindHits<Hit>, wanted: Window) =>
  (await find({ ...wanted, offset: 0, limit: 1 }, true)).length === 0;
