import type { DataOf } from '@quire/api-client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { createUlid } from '../../api/ulid.js';
import { parseListSearch, type ListSearch } from './list-search.js';

/** A state of a list that a user has saved under a name. */
export type SavedView = DataOf<'listSavedViews'>['items'][number];

/** Characters of the address that a view has at most. */
export const maxViewLength = 2000;
export const maxViewNameLength = 80;

/** The views of a collection: those of the user, and shared ones. */
export function savedViewsQuery(collection: string) {
  return queryOptions({
    queryKey: ['listSavedViews', { collection }],
    queryFn: ({ signal }) => api.call('listSavedViews', { params: { collection }, signal }),
    select: ({ items }) => items,
    staleTime: 60_000,
  });
}

/** Saves a state of a list. @throws ApiError */
export async function saveView(
  collection: string,
  view: { name: string; search: string; isShared: boolean },
): Promise<void> {
  await api.call('saveView', { params: { collection, id: createUlid() }, body: view });
}

/** @throws ApiError */
export async function deleteView(collection: string, id: string): Promise<void> {
  await api.call('deleteView', { params: { collection, id } });
}

/** The state that a view has saved. */
export function searchOf({ search }: Pick<SavedView, 'search'>): ListSearch {
  return parseListSearch(Object.fromEntries(new URLSearchParams(search)));
}
