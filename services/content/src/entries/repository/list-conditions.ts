import { columnType, toColumn, type FieldDefinition } from '@quire/content-model';
import { normaliseDatetime } from '@quire/values';
import { identifier, likeContaining, literal, type Parameters } from '@quire/database';
import { invalidInput, type QuireError } from '@quire/errors';
import { isOfByline, linkedGroup } from '../../bylines/credits/index.js';
import { sameLocale } from '../../locales/index.js';
import type { CollectionDefinition } from '../../schema/index.js';
import type { FieldFilter, FieldFilters, ListQuery } from '../entries.schemas.js';

type Scalar = string | number | boolean;

/** A column that lists can be ordered by. */
export interface OrderColumn {
  sql: string;
  /** Its key in the row. */
  key: string;
  /** Its type. */
  cast: string;
}

const systemOrder = new Map<string, OrderColumn>([
  ['createdAt', { sql: 'e.created_at', key: 'createdAt', cast: 'timestamptz' }],
  ['updatedAt', { sql: 'e.updated_at', key: 'updatedAt', cast: 'timestamptz' }],
  ['publishedAt', { sql: 'e.published_at', key: 'publishedAt', cast: 'timestamptz' }],
  ['scheduledAt', { sql: 'e.scheduled_at', key: 'scheduledAt', cast: 'timestamptz' }],
  ['deletedAt', { sql: 'e.deleted_at', key: 'deletedAt', cast: 'timestamptz' }],
  ['slug', { sql: 'e.slug', key: 'slug', cast: 'text' }],
  ['status', { sql: 'e.status', key: 'status', cast: 'text' }],
]);
const localeOrder: OrderColumn = { sql: 'e._locale', key: '_locale', cast: 'text' };
const namingFields = ['title', 'name'];
const dateColumns = { createdAt: 'e.created_at', updatedAt: 'e.updated_at', publishedAt: 'e.published_at' };
const comparators = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** @returns the column of `orderBy`. @throws QuireError VALIDATION_ERROR for a column without an index. */
export function orderColumn(definition: CollectionDefinition, orderBy: string): OrderColumn {
  const system = systemOrder.get(orderBy);
  if (system) return system;
  const field = definition.columns.find(({ slug }) => slug === orderBy);
  const isOrderable =
    field &&
    (field.indexed ||
      namingFields.includes(orderBy) ||
      [definition.titleField, definition.dateField].includes(orderBy));
  if (field && isOrderable && !['json', 'jsonb'].includes(columnType(field.type))) {
    return { sql: `e.${identifier(field.slug)}`, key: field.slug, cast: columnType(field.type) };
  }
  if (orderBy === 'locale') return localeOrder;
  throw invalidInput([
    {
      path: 'orderBy',
      message: `cannot order by '${orderBy}': not an indexed field of '${definition.slug}'`,
    },
  ]);
}

/** @returns the WHERE conditions of a list of entries, which leaves out the trash. */
export function listConditions(
  definition: CollectionDefinition,
  query: ListQuery,
  defaultLocale: string,
  params: Parameters,
): string[] {
  const conditions = ['e.deleted_at IS NULL'];
  if (query.status !== undefined) conditions.push(`e.status = ${params.add(query.status, 'text')}`);
  if (query.locale !== undefined) conditions.push(sameLocale('e._locale', params.add(query.locale, 'text')));
  if (query.authorId !== undefined) conditions.push(`e.author_id = ${params.add(query.authorId, 'text')}`);
  if (query.q !== undefined && query.q !== '') conditions.push(searchCondition(definition, query.q, params));
  conditions.push(...dateConditions(query, params));
  if (query.bylines !== undefined) conditions.push(bylineCondition(query, defaultLocale, params));
  conditions.push(...fieldConditions(definition, query.fieldFilters ?? {}, params));
  conditions.push(...termConditions(query, params));
  return conditions;
}

/** Terms are assigned to translation groups; a slug of any locale names a term. */
function termConditions({ termFilters = {} }: ListQuery, params: Parameters): string[] {
  return Object.entries(termFilters).map(
    ([taxonomy, slugs]) => `EXISTS (
      SELECT 1 FROM entry_terms x JOIN terms r ON r.group_id = x.term_group JOIN taxonomies y ON y.id = r.taxonomy_id
      WHERE x.entry_group = e._translation_group AND y.name = ${params.add(taxonomy, 'text')}
        AND r.slug = ANY(${params.add(slugs, 'text[]')}))`,
  );
}

function searchCondition(definition: CollectionDefinition, q: string, params: Parameters): string {
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
  return `(${conditions.join(' OR ')})`;
}

function dateConditions({ dateField, dateFrom, dateTo }: ListQuery, params: Parameters): string[] {
  if (dateField === undefined) return [];
  const column = dateColumns[dateField];
  return [
    ...(dateFrom === undefined ? [] : [`${column} >= ${params.add(dateFrom, 'timestamptz')}`]),
    ...(dateTo === undefined ? [] : [`${column} <= ${params.add(dateTo, 'timestamptz')}`]),
  ];
}

/** Matches credits as responses show them: in the entry's locale, else in the default one (contract 7). */
function bylineCondition(
  { bylines, includeInferredBylines }: ListQuery,
  defaultLocale: string,
  params: Parameters,
): string {
  const stored = 'SELECT 1 FROM entry_bylines c WHERE c.entry_id = e.id';
  const storedOfByline = `${stored} AND ${isOfByline('c.byline_group')}`;
  const inferred = linkedGroup('e._locale', defaultLocale);
  if (bylines === 'none') {
    const rendered = `${stored} AND EXISTS (SELECT 1 FROM bylines b
      WHERE b.translation_group = c.byline_group AND b.locale IN (e._locale, ${literal(defaultLocale)}))`;
    const isInferred = `(NOT EXISTS (${storedOfByline}) AND ${inferred} IS NOT NULL)`;
    return `NOT EXISTS (${rendered})${includeInferredBylines ? ` AND NOT ${isInferred}` : ''}`;
  }
  const ids = params.add(bylines, 'text[]');
  const groups = `(SELECT translation_group FROM bylines WHERE id = ANY(${ids}) OR translation_group = ANY(${ids}))`;
  const credited = `EXISTS (${stored} AND c.byline_group IN ${groups})`;
  if (!includeInferredBylines) return credited;
  return `(${credited} OR (NOT EXISTS (${storedOfByline}) AND ${inferred} IN ${groups}))`;
}

function fieldConditions(
  definition: CollectionDefinition,
  filters: FieldFilters,
  params: Parameters,
): string[] {
  return Object.entries(filters).map(([slug, filter]) => {
    const field = definition.columns.find((column) => column.slug === slug);
    if (!field?.indexed) throw invalidFilter(slug, `is not an indexed field of '${definition.slug}'`);
    return fieldCondition(field, filter, params);
  });
}

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
