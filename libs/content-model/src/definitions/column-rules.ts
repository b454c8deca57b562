import type { FieldType } from '../fields/field-types.js';
import type { DefinitionProblem } from './slugs.js';

/**
 * Fields with a column in a collection. A row must fit into a page of 8 kB, where a value that is too large takes at
 * most 24 bytes; with the system columns this many fit, whatever their values.
 */
export const maxFieldColumns = 300;

/** System columns of every PostgreSQL table. */
export const postgresColumns: ReadonlySet<string> = new Set([
  'ctid',
  'cmax',
  'cmin',
  'tableoid',
  'xmax',
  'xmin',
]);

/** Columns of these types have no equality that a unique index could use. */
const neverUnique: ReadonlySet<FieldType> = new Set([
  'json',
  'portableText',
  'repeater',
  'blocks',
  'multiSelect',
  'image',
  'file',
]);

/**
 * Checks that the database can create the column of a field and its unique index.
 * @returns RESERVED_SLUG, VALIDATION_ERROR for `unique`, or null
 */
export function checkFieldColumn({
  slug,
  type,
  unique,
}: {
  slug?: string | undefined;
  type?: FieldType | undefined;
  unique?: boolean | undefined;
}): DefinitionProblem | null {
  if (slug !== undefined && postgresColumns.has(slug))
    return { code: 'RESERVED_SLUG', path: 'slug', message: `'${slug}' is reserved by the database` };
  if (unique === true && type !== undefined && neverUnique.has(type))
    return { code: 'VALIDATION_ERROR', path: 'unique', message: `is not available for ${type} fields` };
  return null;
}
