import type { Conditional, DataOf } from '@quire/api-client';
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.js';

/** What the panel knows of the site before its first screen. */
export type Bootstrap = DataOf<'getPanelBootstrap'>;
/** A collection with its fields. */
export type Collection = Bootstrap['collections'][number];
export type Field = Collection['fields'][number];

const refetchMs = 5 * 60_000;

/** The site's collections, taxonomies, locales and limits; a response that is current is not sent again. */
export const bootstrapQuery = queryOptions({
  queryKey: ['getPanelBootstrap'],
  queryFn: ({ signal, client }) =>
    api.read(
      'getPanelBootstrap',
      client.getQueryData<Conditional<Bootstrap>>(['getPanelBootstrap']),
      // Its types have no input.
      { signal },
    ),
  select: ({ data }: Conditional<Bootstrap>) => data,
  staleTime: Infinity,
  refetchInterval: refetchMs,
});

/** The collections of the navigation, in its order. */
export function visibleCollections({ collections }: Pick<Bootstrap, 'collections'>): Collection[] {
  return collections.filter(({ hidden }) => !hidden);
}

/** Fields that name an entry where the collection has no title field, as in the content service. */
const namingFields = ['title', 'name'];
const textTypes: ReadonlySet<string> = new Set(['string', 'text', 'url', 'slug', 'select']);

/** The field whose text names the entries of a collection. */
export function titleFieldOf({ titleField, fields }: Collection): Field | undefined {
  const candidates = titleField ? [titleField] : namingFields;
  const named = candidates.flatMap((slug) => fields.find((field) => field.slug === slug) ?? []);
  return named.find(({ type }) => textTypes.has(type));
}
