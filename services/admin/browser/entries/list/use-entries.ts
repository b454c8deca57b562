import { ApiError } from '@quire/api-client';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { bootstrapQuery } from '../../api/bootstrap.js';
import { entriesQuery } from './list-queries.js';
import type { ListQuery } from './list-query.js';

/** Rows before the end at which the next page is read. */
const readAhead = 30;

const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : undefined);

/** The entries of a query, as far as they have been read. @param isEnabled whether it may be sent */
export function useEntries(collection: string, query: ListQuery, isEnabled: boolean) {
  const queries = useQueryClient();
  const options = entriesQuery(collection, query);
  const result = useInfiniteQuery({ ...options, enabled: isEnabled });
  const { data, error } = result;
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const code = codeOf(error);
  const key = JSON.stringify(options.queryKey);
  useEffect(() => {
    // A cursor is only valid for its query and its schema: the list starts again.
    if (code === 'INVALID_CURSOR') void queries.resetQueries({ queryKey: JSON.parse(key) as unknown[] });
    if (code === 'COLLECTION_NOT_FOUND')
      void queries.invalidateQueries({ queryKey: bootstrapQuery.queryKey });
  }, [code, key, queries]);
  return {
    ...result,
    rows,
    total: data?.pages[0]?.total,
    isGone: code === 'COLLECTION_NOT_FOUND',
    isStale:
      result.isPlaceholderData || (result.isFetching && !result.isFetchingNextPage && !result.isPending),
  };
}

/** Reads the next page when the end of the list comes into sight. */
export function useReadAhead(
  { rows, hasNextPage, isFetching, isError, fetchNextPage }: ReturnType<typeof useEntries>,
  visibleEnd: number,
): void {
  const isNear = visibleEnd + readAhead >= rows.length;
  const isDue = isNear && hasNextPage && !isFetching && !isError;
  useEffect(() => {
    if (isDue) void fetchNextPage();
  }, [isDue, fetchNextPage]);
}
