import { titleFieldOf, type Collection, type Field } from '../../api/bootstrap.js';
import type { ListSearch, View } from './list-search.js';

/** Columns that every collection has, beside the title. Fields cannot have these names. */
export const systemColumns = [
  '_status',
  '_locale',
  '_author',
  '_bylines',
  '_edited',
  '_created',
  '_published',
  '_deleted',
] as const;
export type SystemColumn = (typeof systemColumns)[number];

/** A column of the table: of the system, or of a field. */
export type Column = { id: SystemColumn; field?: undefined } | { id: string; field: Field };

/** What the API accepts. */
export const maxFieldColumns = 8;

/** How the API names the order of a column of the system. */
const systemOrder: Partial<Record<SystemColumn, string>> = {
  _edited: 'editedAt',
  _created: 'createdAt',
  _published: 'publishedAt',
  _deleted: 'deletedAt',
};
/** Types whose columns in the database have no order. */
const unorderedTypes: ReadonlySet<string> = new Set([
  'json',
  'multiSelect',
  'portableText',
  'image',
  'file',
  'repeater',
  'blocks',
  'reference',
]);

/** The fields that can be columns: all but the one that the title shows. */
export function columnFieldsOf(collection: Collection): Field[] {
  const title = titleFieldOf(collection);
  return collection.fields.filter(({ slug }) => slug !== title?.slug);
}

/** The columns of the first visit. @param hasLocales whether the site has several locales */
export function defaultColumns(collection: Collection, hasLocales: boolean): string[] {
  const listed = collection.admin?.listColumns ?? [];
  return [
    '_status',
    ...listed,
    ...(hasLocales ? ['_locale'] : []),
    ...(listed.length === 0 ? ['_author'] : []),
    '_edited',
  ];
}

/** The columns with these ids that exist, in order, each once, with at most eight fields. */
export function columnsOf(collection: Collection, ids: readonly string[], view: View): Column[] {
  const fields = new Map(columnFieldsOf(collection).map((field) => [field.slug, field]));
  let fieldCount = 0;
  const columns = [...new Set(ids)].flatMap((id): Column[] => {
    const system = systemColumns.find((each) => each === id);
    if (system) return system === '_deleted' ? [] : [{ id: system }];
    const field = fields.get(id);
    if (!field || fieldCount === maxFieldColumns) return [];
    fieldCount += 1;
    return [{ id, field }];
  });
  return view === 'trash' ? [...columns, { id: '_deleted' }] : columns;
}

/** What the API calls the order of a column, and what the address does. @returns undefined for one without order */
export function orderOf(column: Column): string | undefined {
  const { id, field } = column;
  if (!field) return systemOrder[id as SystemColumn];
  return field.indexed && !unorderedTypes.has(field.type) ? id : undefined;
}

/** The order of a list. */
export interface ListOrder {
  orderBy: string;
  isDescending: boolean;
}

/** The order of a view before the user selects one: what happens next or has happened last comes first. */
export function defaultOrder(view: View): ListOrder {
  if (view === 'trash') return { orderBy: 'deletedAt', isDescending: true };
  if (view === 'scheduled' || view === 'overdue') return { orderBy: 'scheduledAt', isDescending: false };
  return { orderBy: 'editedAt', isDescending: true };
}

/** The order that a search asks for, if the collection has it, else that of the view. */
export function listOrder(collection: Collection, { sort, view = 'all' }: ListSearch): ListOrder {
  const name = sort?.replace(/^-/, '');
  const known = [
    titleFieldOf(collection)?.slug,
    ...Object.values(systemOrder),
    ...columnFieldsOf(collection).map((field) => orderOf({ id: field.slug, field })),
  ];
  if (sort === undefined || name === undefined || !known.includes(name)) return defaultOrder(view);
  if (name === 'deletedAt' && view !== 'trash') return defaultOrder(view);
  return { orderBy: name, isDescending: sort.startsWith('-') };
}

/** The value of `sort` after a click on a column: times begin with the last one, all others with the first. */
export function nextSort(current: ListOrder, orderBy: string): string {
  if (current.orderBy === orderBy) return current.isDescending ? orderBy : `-${orderBy}`;
  return orderBy.endsWith('At') ? `-${orderBy}` : orderBy;
}
