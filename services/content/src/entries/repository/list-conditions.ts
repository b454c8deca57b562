import { columnType, toColumn, type FieldDefinition } from '@quire/content-model';
import { normaliseDatetime } from '@quire/values';
import { identifier, likeContaining, literal, type Parameters } from '@quire/database';
import { invalidInput, type QuireError } from '@quire/errors';
import { isOfByline, linkedGroup, type CreditedBylines } from '../../bylines/credits/index.js';
import { sameLocale } from '../../locales/index.js';
import { isEntryStatus, namingFields, type CollectionDefinition } from '../../schema/index.js';
import type { FieldFilter, FieldFilters, ListQuery } from '../entries.schemas.js';
import { entryStates, isLive, type EntryState } from './entry-states.js';

type Scalar = string | number | boolean;

/** SQL of the entries `e` of a collection. */
export const fromEntries = ({ table }: Pick<CollectionDefinition, 'table'>) => `${identifier(table)} e`;

export const dateColumns = {
  createdAt: 'e.created_at',
  editedAt: 'e._edited_at',
  updatedAt: 'e.updated_at',
  publishedAt: 'e.published_at',
};
const comparators = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** The filters of a list. Names of terms and bylines are resolved: PostgreSQL plans by how common a value is. */
export interface ListFilters extends Omit<
  ListQuery,
  'termFilters' | 'bylines' | 'dateField' | 'cursor' | 'limit' | 'orderBy' | 'order'
> {
  /** By taxonomy, the groups of the terms of which an entry has one. */
  termGroups: readonly (readonly string[])[];
  bylines: CreditedBylines | 'none' | undefined;
  dateField?: keyof typeof dateColumns | undefined;
  state?: EntryState | undefined;
  /** Whether `q` also finds the titles of drafts. */
  searchesDrafts?: true;
}

/** The conditions of a list of entries; those of the filters also by what they compare. */
export interface ListConditions {
  /** The first one leaves out the trash, or all others. */
  all: string[];
  state: (typeof entryStates)[EntryState] | undefined;
  status: string[];
  locale: string[];
  author: string[];
  dates: string[];
  /** Those that compare values come before bounds. */
  fields: { column: string; condition: string }[];
  /** Conditions of assignments `x` of terms, one a taxonomy. */
  terms: string[];
  /** Condition of credits `c`, if only they decide. */
  credits: string | undefined;
  /** Conditions of stored counts `n`, if only they decide. */
  counts: string[] | undefined;
}

export function listConditions(
  definition: CollectionDefinition,
  filters: ListFilters,
  defaultLocale: string,
  params: Parameters,
): ListConditions {
  const { q, bylines, termGroups } = filters;
  const given = <Value>(value: Value | undefined, condition: (value: Value) => string) =>
    value === undefined ? [] : [condition(value)];
  const statusValue = given(filters.status, (value) =>
    isEntryStatus(value) ? literal(value) : params.add(value, 'text'),
  );
  const localeValue = given(filters.locale, (value) => params.add(value, 'text'));
  const statusOf = (column: string) => statusValue.map((value) => `${column} = ${value}`);
  const localeOf = (column: string) => localeValue.map((value) => sameLocale(column, value));
  const status = statusOf('e.status');
  const locale = localeOf('e._locale');
  const author = given(filters.authorId, (value) => `e.author_id = ${params.add(value, 'text')}`);
  const dates = dateConditions(filters, params);
  const fields = fieldConditions(definition, filters.fieldFilters ?? {}, params);
  // Terms are assigned to translation groups.
  const terms = termGroups.map((groups) => `x.term_group = ANY(${params.add(groups, 'text[]')})`);
  const assigned = terms.map(
    (named) => `EXISTS (SELECT 1 FROM entry_terms x WHERE x.entry_group = e._translation_group AND ${named})`,
  );
  const byline = bylines && bylineCondition(bylines, filters, defaultLocale, params);
  const state = filters.state && entryStates[filters.state];
  const others = [
    ...[author, dates, assigned].flat(),
    ...fields.map(({ condition }) => condition),
    ...(byline ? [byline.condition] : []),
    ...(q ? [searchCondition(definition, q, filters, params)] : []),
  ];
  return {
    all: [state?.rows ?? isLive, ...(state?.conditions ?? []), ...status, ...locale, ...others],
    state,
    status,
    locale,
    author,
    dates,
    fields,
    terms,
    credits: byline?.credits,
    counts: others.length === 0 && !state ? [...statusOf('n.status'), ...localeOf('n.locale')] : undefined,
  };
}

function searchCondition(
  definition: CollectionDefinition,
  q: string,
  { searchesDrafts }: ListFilters,
  params: Parameters,
): string {
  const searched = definition.columns.filter(
    ({ slug, type, searchable }) =>
      columnType(type) === 'text' &&
      (searchable || slug === definition.titleField || namingFields.includes(slug)),
  );
  const pattern = (text: string) => params.add(likeContaining(text), 'text');
  const asSubmitted = pattern(q);
  const columns = ['e.slug', ...searched.map(({ slug }) => `e.${identifier(slug)}`)];
  const conditions = columns.map((column) => `${column} ILIKE ${asSubmitted}`);
  // Values and given slugs are stored as they were submitted; generated slugs are normalised.
  const normalised = q.normalize('NFKC');
  if (normalised !== q) conditions.push(`e.slug ILIKE ${pattern(normalised)}`);
  if (searchesDrafts)
    conditions.push(
      `EXISTS (SELECT 1 FROM revisions d WHERE d.id = e.draft_revision_id AND d.title ILIKE ${asSubmitted})`,
    );
  return `(${conditions.join(' OR ')})`;
}

function dateConditions({ dateField, dateFrom, dateTo }: ListFilters, params: Parameters): string[] {
  if (dateField === undefined) return [];
  const column = dateColumns[dateField];
  return [
    ...(dateFrom === undefined ? [] : [`${column} >= ${params.add(dateFrom, 'timestamptz')}`]),
    ...(dateTo === undefined ? [] : [`${column} <= ${params.add(dateTo, 'timestamptz')}`]),
  ];
}

/** Matches credits as responses show them: in the entry's locale, else in the default one (contract 7). */
function bylineCondition(
  bylines: CreditedBylines | 'none',
  { includeInferredBylines }: ListFilters,
  defaultLocale: string,
  params: Parameters,
): { condition: string; credits?: string } {
  const stored = 'SELECT 1 FROM entry_bylines c WHERE c.entry_id = e.id';
  const storedOfByline = `${stored} AND ${isOfByline('c.byline_group')}`;
  const inferred = linkedGroup('e._locale', defaultLocale);
  if (bylines === 'none') {
    const rendered = `${stored} AND EXISTS (SELECT 1 FROM bylines b
      WHERE b.translation_group = c.byline_group AND b.locale IN (e._locale, ${literal(defaultLocale)}))`;
    const isInferred = `(NOT EXISTS (${storedOfByline}) AND ${inferred} IS NOT NULL)`;
    return {
      condition: `NOT EXISTS (${rendered})${includeInferredBylines ? ` AND NOT ${isInferred}` : ''}`,
    };
  }
  const isNamed = `c.byline_group = ANY(${params.add(bylines.groups, 'text[]')})`;
  const credited = `EXISTS (${stored} AND ${isNamed})`;
  if (!includeInferredBylines || bylines.userIds.length === 0)
    return { condition: credited, credits: isNamed };
  // The comparison of the author comes first: it decides for most entries, without a look-up.
  const authors = params.add(bylines.userIds, 'text[]');
  const isInferred = `${inferred} = ANY(${params.add(bylines.groups, 'text[]')})`;
  return {
    condition: `(${credited} OR (e.author_id = ANY(${authors}) AND NOT EXISTS (${storedOfByline}) AND ${isInferred}))`,
  };
}

function fieldConditions(
  definition: CollectionDefinition,
  filters: FieldFilters,
  params: Parameters,
): ListConditions['fields'] {
  const entries = Object.entries(filters).sort(
    ([, left], [, right]) => Number(isOfValues(right)) - Number(isOfValues(left)),
  );
  return entries.map(([slug, filter]) => {
    const field = definition.columns.find((column) => column.slug === slug);
    if (!field?.indexed) throw invalidFilter(slug, `is not an indexed field of '${definition.slug}'`);
    return { column: `e.${identifier(slug)}`, condition: fieldCondition(field, filter, params) };
  });
}

const isOfValues = (filter: FieldFilter) => typeof filter !== 'object' || (filter !== null && 'in' in filter);

function fieldCondition(field: FieldDefinition, filter: FieldFilter, params: Parameters): string {
  const column = `e.${identifier(field.slug)}`;
  const type = columnType(field.type);
  if (filter === null) return `${column} IS NULL`;
  if (typeof filter !== 'object') return `${column} = ${params.add(operand(field, filter), type)}`;
  if ('in' in filter) {
    return `${column} = ANY(${params.add(
      filter.in.map((value) => operand(field, value)),
      `${type}[]`,
    )})`;
  }
  if (field.type === 'boolean') throw invalidFilter(field.slug, 'a boolean field has no bounds');
  return Object.entries(filter)
    .map(
      ([bound, value]) =>
        `${column} ${comparators[bound as keyof typeof comparators]} ${params.add(operand(field, value as Scalar), type)}`,
    )
    .join(' AND ');
}

/**
 * @returns a filter's value as its column compares it.
 * @throws QuireError VALIDATION_ERROR for a value of another type than the field's.
 */
function operand(field: FieldDefinition, value: Scalar): unknown {
  switch (columnType(field.type)) {
    case 'double precision':
      if (typeof value === 'number') return value;
      break;
    case 'bigint':
      if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
      break;
    case 'smallint':
      if (typeof value === 'boolean' || value === 0 || value === 1) return toColumn(field, Boolean(value));
      break;
    case 'timestamptz(3)': {
      const instant = typeof value === 'string' ? normaliseDatetime(value) : null;
      if (instant !== null) return instant;
      break;
    }
    default:
      if (typeof value === 'string' && !value.includes('\0')) return value;
  }
  throw invalidFilter(field.slug, `${JSON.stringify(value)} is not a valid value of a ${field.type} field`);
}

function invalidFilter(slug: string, message: string): QuireError {
  return invalidInput([{ path: `fieldFilters.${slug}`, message }]);
}
