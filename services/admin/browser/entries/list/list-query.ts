import type { InputOf } from '@quire/api-client';
import type { Bootstrap, Collection, Field } from '../../api/bootstrap.js';
import { endOfDay, startOfDay } from '../../time/site-time.js';
import { listOrder, type Column } from './list-columns.js';
import type { FieldCondition, ListSearch } from './list-search.js';

/** The query of a list, without its page. */
export type ListQuery = Omit<NonNullable<InputOf<'listPanelEntries'>['query']>, 'cursor' | 'limit'>;

const dateColumns = { edited: 'editedAt', created: 'createdAt', published: 'publishedAt' } as const;

/** What a query depends on beside the search. */
export interface QueryContext {
  collection: Collection;
  columns: readonly Column[];
  taxonomies: Bootstrap['taxonomies'];
  /** Zone of the site. */
  timezone: string;
}

/** The query of a search. Leaves out conditions that the collection does not have: its schema may have changed. */
export function toListQuery(search: ListSearch, { collection, columns, timezone, taxonomies }: QueryContext) {
  const { view = 'all', q, locale, author, on = 'edited', from, to } = search;
  const { orderBy, isDescending } = listOrder(collection, search);
  const shown = columns.flatMap(({ field }) => field?.slug ?? []);
  const fields = knownConditions(search, collection);
  const terms = knownTerms(search, collection, taxonomies);
  const hasDates = from !== undefined || to !== undefined;
  const query: ListQuery = {
    view,
    orderBy,
    order: isDescending ? 'desc' : 'asc',
    ...(q !== undefined && { q }),
    ...(locale !== undefined && { locale }),
    ...(shown.length > 0 && { columns: shown.join(',') }),
    ...(author !== undefined && view !== 'mine' && { authorId: author }),
    ...(hasDates && { dateField: dateColumns[on] }),
    ...(from !== undefined && { dateFrom: startOfDay(from, timezone) }),
    ...(to !== undefined && { dateTo: endOfDay(to, timezone) }),
    ...(fields.length > 0 && {
      fieldFilters: JSON.stringify(
        Object.fromEntries(
          fields.map(([field, condition]) => [field.slug, sent(field, condition, timezone)]),
        ),
      ),
    }),
    ...(terms.length > 0 && { termFilters: JSON.stringify(Object.fromEntries(terms)) }),
  };
  return query;
}

/** The indexed fields of a collection that have a filter. */
export function filterFieldsOf({ fields }: Collection): Field[] {
  return fields.filter(({ indexed, type }) => indexed && type !== 'reference');
}

/** The conditions of a search on fields that have a filter. */
export function knownConditions({ f = {} }: ListSearch, collection: Collection): [Field, FieldCondition][] {
  return filterFieldsOf(collection).flatMap((field): [Field, FieldCondition][] => {
    const condition = f[field.slug];
    return condition === undefined ? [] : [[field, condition]];
  });
}

/** The taxonomies of a collection, once each: of several locales the default one. */
export function taxonomiesOf(
  { slug }: Pick<Collection, 'slug'>,
  taxonomies: Bootstrap['taxonomies'],
  defaultLocale: string,
): Bootstrap['taxonomies'] {
  const own = taxonomies.filter(({ collections }) => collections.includes(slug));
  const isDefault = ({ locale }: { locale: string }) => locale === defaultLocale;
  return own.filter(
    (taxonomy, index) =>
      isDefault(taxonomy) ||
      (!own.some((other) => other.name === taxonomy.name && isDefault(other)) &&
        own.findIndex((other) => other.name === taxonomy.name) === index),
  );
}

function knownTerms({ t = {} }: ListSearch, { slug }: Collection, taxonomies: Bootstrap['taxonomies']) {
  const names = new Set(
    taxonomies.filter(({ collections }) => collections.includes(slug)).map(({ name }) => name),
  );
  return Object.entries(t).filter(([name]) => names.has(name));
}

/** A condition as the API takes it: bounds of a time are days in the address, and instants there. */
function sent({ type }: Field, condition: FieldCondition, timezone: string): unknown {
  if (type !== 'datetime' || condition === null || typeof condition !== 'object' || 'in' in condition)
    return condition;
  const { gte, lte } = condition;
  return {
    ...(typeof gte === 'string' && { gte: startOfDay(gte, timezone) ?? gte }),
    ...(typeof lte === 'string' && { lte: endOfDay(lte, timezone) ?? lte }),
  };
}
