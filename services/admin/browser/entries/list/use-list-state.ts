import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { columnsOf, defaultColumns, listOrder } from './list-columns.js';
import { useListContext } from './list-context.js';
import { toListQuery } from './list-query.js';
import type { ListSearch } from './list-search.js';
import { readColumns, storeColumns } from './stored-columns.js';

const route = getRouteApi('/content/$collection');

/** The state of a list, which is its address, and what follows from it. */
export function useListState() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { collection, bootstrap, caller } = useListContext();
  const { slug } = collection;
  const { locales, site, taxonomies } = bootstrap;
  const [stored, setStored] = useState(() => readColumns(caller.userId, slug));
  const { cols, view = 'all' } = search;
  const columns = useMemo(() => {
    const hasLocales = (locales.configured?.length ?? 0) > 1;
    const ids = cols?.split(',') ?? stored ?? defaultColumns(collection, hasLocales);
    return columnsOf(collection, ids, view);
  }, [collection, cols, locales, stored, view]);
  const query = useMemo(
    () => toListQuery(search, { collection, columns, taxonomies, timezone: site.timezone }),
    [search, collection, columns, taxonomies, site.timezone],
  );
  const replace = useCallback(
    (next: ListSearch, isTyping = false) =>
      // Each letter of a search would be a step back otherwise.
      void navigate({ search: next, replace: isTyping, resetScroll: false }),
    [navigate],
  );
  const change = useCallback(
    (part: Partial<ListSearch>, { isTyping = false } = {}) =>
      void navigate({
        search: (current) => ({ ...current, ...part }),
        replace: isTyping,
        resetScroll: false,
      }),
    [navigate],
  );
  const selectColumns = (ids: string[] | undefined) => {
    storeColumns(caller.userId, slug, ids);
    setStored(ids);
    change({ cols: ids?.join(',') });
  };
  return { search, query, columns, order: listOrder(collection, search), change, replace, selectColumns };
}
