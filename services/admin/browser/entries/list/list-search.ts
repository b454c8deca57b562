import type { InputOf } from '@quire/api-client';
import { isDate } from '../../time/site-time.js';

/** A view of a collection's entries. */
export type View = NonNullable<NonNullable<InputOf<'listPanelEntries'>['query']>['view']>;

/** All views, in the order of the tabs. */
export const views = [
  'all',
  'draft',
  'published',
  'changed',
  'scheduled',
  'overdue',
  'mine',
  'trash',
] as const satisfies readonly View[];

/** The times of an entry that a list can be limited to. */
export const dateFields = ['edited', 'created', 'published'] as const;
export type DateField = (typeof dateFields)[number];

type Scalar = string | number | boolean;

/** A condition on a field: a value, no value, one of several values, or bounds. */
export type FieldCondition =
  Scalar | null | { in: Scalar[] } | { gte?: string | number; lte?: string | number };

/** The state of a list as its address has it. Absent values are those of the first visit. */
export interface ListSearch {
  view?: View;
  /** Text to search for. */
  q?: string;
  locale?: string;
  /** A column to order by, with "-" before it for descending order. */
  sort?: string;
  /** Columns beside the title, with commas between them. */
  cols?: string;
  /** Conditions by field. */
  f?: Record<string, FieldCondition>;
  /** Terms by taxonomy, of which an entry has one. */
  t?: Record<string, string[]>;
  author?: string;
  /** The time that `from` and `to` limit. */
  on?: DateField;
  /** First day, in the zone of the site. */
  from?: string;
  /** Last day. */
  to?: string;
}

/** What the API accepts. */
export const maxFilters = 20;
export const maxValues = 50;
const maxSearchLength = 200;
const slugPattern = /^[a-z_][a-z0-9_]*$/;

/**
 * Reads the search parameters of an address, or those of a navigation. What it cannot read is undefined, so that it
 * replaces the value of the address.
 */
export function parseListSearch(search: Record<string, unknown>): ListSearch {
  return {
    view: oneOf(views, search['view']),
    q: textOf(search['q'], maxSearchLength),
    locale: textOf(search['locale'], 64),
    sort: matching(/^-?[a-zA-Z_][a-zA-Z0-9_]{0,127}$/, search['sort']),
    cols: matching(/^[a-z0-9_,]{1,1000}$/, search['cols']),
    f: recordOf(search['f'], conditionOf),
    t: recordOf(search['t'], termsOf, /./),
    author: matching(/^[\w-]{1,64}$/, search['author']),
    on: oneOf(dateFields, search['on']),
    from: dateOf(search['from']),
    to: dateOf(search['to']),
  };
}

/** Whether a search limits the list, beside its view and its locale. */
export function isFiltered({ q, f, t, author, from, to }: ListSearch): boolean {
  return [q, f, t, author, from, to].some((value) => value !== undefined);
}

/** The number of filters of a search; its text is none. */
export function filterCountOf({ f = {}, t = {}, author, from, to }: ListSearch): number {
  const hasDates = from !== undefined || to !== undefined;
  return Object.keys(f).length + Object.keys(t).length + Number(author !== undefined) + Number(hasDates);
}

/** A search without its text and its filters. */
export function withoutFilters({ view, locale, sort, cols }: ListSearch): ListSearch {
  return { view, locale, sort, cols };
}

/** Whether a search has more filters or values than the API accepts. */
export function hasTooManyFilters({ f = {}, t = {} }: ListSearch): boolean {
  const valuesOf = (condition: FieldCondition) =>
    condition === null || typeof condition !== 'object'
      ? 1
      : 'in' in condition
        ? condition.in.length
        : Object.keys(condition).length;
  const values = Object.values(f).reduce((count: number, condition) => count + valuesOf(condition), 0);
  return (
    Object.keys(f).length > maxFilters ||
    values > maxValues ||
    Object.keys(t).length > maxFilters ||
    Object.values(t).some((terms) => terms.length > maxValues)
  );
}

const textOf = (value: unknown, maxLength: number) => {
  const text = typeof value === 'string' ? value.trim().slice(0, maxLength) : '';
  return text === '' ? undefined : text;
};

const matching = (pattern: RegExp, value: unknown) =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;

const oneOf = <Value extends string>(values: readonly Value[], value: unknown) =>
  values.find((each) => each === value);

const dateOf = (value: unknown) => (typeof value === 'string' && isDate(value) ? value : undefined);

/** An object of the address, which is JSON there, with its readable members. @returns undefined without any */
function recordOf<Value>(
  value: unknown,
  read: (value: unknown) => Value | undefined,
  keys = slugPattern,
): Record<string, Value> | undefined {
  const record = typeof value === 'string' ? parseJson(value) : value;
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return undefined;
  const members = Object.entries(record).flatMap(([key, each]) => {
    const member = keys.test(key) && key !== '__proto__' ? read(each) : undefined;
    return member === undefined ? [] : [[key, member] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value);

function conditionOf(value: unknown): FieldCondition | undefined {
  if (value === null || isScalar(value)) return value;
  if (typeof value !== 'object') return undefined;
  if ('in' in value)
    return Array.isArray(value.in) && value.in.length > 0 && value.in.every(isScalar)
      ? { in: value.in }
      : undefined;
  const bounds = Object.entries(value).filter(
    ([key, bound]) => ['gte', 'lte'].includes(key) && ['string', 'number'].includes(typeof bound),
  );
  return bounds.length === 0 ? undefined : Object.fromEntries(bounds);
}

function termsOf(value: unknown): string[] | undefined {
  const terms = Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
  return terms.length === 0 ? undefined : terms;
}
