import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import type { ListQuery } from './list-query.js';

const staleMs = 15_000;
const pageSize = 100;
/** Pages that a list keeps: further entries are found by a search or a filter. */
export const maxPages = 200;
/** A list of more pages is not read again whenever the window gets the focus. */
const maxRefetchedPages = 5;

/** Reads a page of a list. */
export function readPage(
  collection: string,
  query: ListQuery,
  { cursor, signal }: { cursor?: string | undefined; signal?: AbortSignal },
) {
  return api.call('listPanelEntries', {
    params: { collection },
    query: { ...query, limit: pageSize, ...(cursor !== undefined && { cursor }) },
    signal,
  });
}

/** The pages of a list. The former list of the same collection is shown until a changed query has its own. */
export function entriesQuery(collection: string, query: ListQuery) {
  return infiniteQueryOptions({
    queryKey: ['listPanelEntries', { collection }, query] as const,
    queryFn: ({ pageParam, signal }) => readPage(collection, query, { cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }, pages) => (pages.length < maxPages ? nextCursor : undefined),
    staleTime: staleMs,
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= maxRefetchedPages,
    placeholderData: (previous, previousQuery) =>
      previousQuery?.queryKey[1].collection === collection ? previous : undefined,
  });
}

/** The number of entries of each view. */
export function countsQuery(collection: string, locale: string | undefined) {
  return queryOptions({
    queryKey: ['countPanelEntries', { collection }, { locale }],
    queryFn: ({ signal }) =>
      api.call('countPanelEntries', {
        params: { collection },
        query: locale === undefined ? {} : { locale },
        signal,
      }),
    staleTime: staleMs,
  });
}

/** The authors of a collection's entries. */
export function authorsQuery(collection: string) {
  return queryOptions({
    queryKey: ['listContentAuthors', { collection }],
    queryFn: ({ signal }) => api.call('listContentAuthors', { params: { collection }, signal }),
    staleTime: 60_000,
  });
}

/** The terms of a taxonomy, in the default locale. */
export function termsQuery(name: string) {
  return queryOptions({
    queryKey: ['listTerms', { name }],
    queryFn: ({ signal }) =>
      api.call('listTerms', { params: { name }, query: { includeCounts: 'false' }, signal }),
    staleTime: 60_000,
  });
}

/** Lets the lists and the counts of a collection, and the first screen, be read again after a write. */
export async function invalidateLists(client: QueryClient, collection: string): Promise<void> {
  const keys = [
    ['listPanelEntries', { collection }],
    ['countPanelEntries', { collection }],
    ['getPanelHome'],
  ];
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
}
