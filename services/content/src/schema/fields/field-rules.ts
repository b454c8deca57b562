import {
  checkFieldDefinition,
  type DefinitionProblem,
  type FieldDefinition,
  type FieldDefinitionInput,
} from '@quire/content-model';
import { invalidInput, QuireError } from '@quire/errors';
import type { StoredField } from './fields.repository.js';

/** System columns of every PostgreSQL table. */
export const postgresColumns = new Set(['ctid', 'cmax', 'cmin', 'tableoid', 'xmax', 'xmin']);

/** Columns of these types have no equality that a unique index could use. */
const neverUnique = new Set(['json', 'portableText', 'repeater', 'blocks', 'multiSelect', 'image', 'file']);

/** @throws QuireError with the first code other than VALIDATION_ERROR, else VALIDATION_ERROR with all problems. */
export function throwFirstProblem(problems: readonly DefinitionProblem[]): void {
  const coded = problems.find(({ code }) => code !== 'VALIDATION_ERROR');
  if (coded) throw new QuireError(coded.code, `${coded.path}: ${coded.message}`);
  if (problems.length > 0) throw invalidInput(problems);
}

/**
 * @param options.isStored whether the field exists already
 * @throws QuireError as `throwFirstProblem`, RESERVED_SLUG (a column of PostgreSQL).
 */
export function assertValidFieldDefinition(
  input: FieldDefinitionInput,
  options: { isStored?: boolean } = {},
): void {
  throwFirstProblem(checkFieldDefinition(input, options));
  const { slug, type, unique } = input as Partial<FieldDefinition>;
  if (slug !== undefined && postgresColumns.has(slug)) {
    throw new QuireError('RESERVED_SLUG', `slug: '${slug}' is reserved by the database`);
  }
  if (unique && type !== undefined && neverUnique.has(type)) {
    throw invalidInput([{ path: 'unique', message: `is not available for ${type} fields` }]);
  }
}

/** The largest value of the column of sort orders. */
export const maxSortOrder = 2_147_483_647;

/** @returns the position after the last field. */
export function nextSortOrder(fields: readonly StoredField[]): number {
  const next = fields.reduce((highest, { sortOrder }) => Math.max(highest, sortOrder + 1), 0);
  return Math.min(next, maxSortOrder);
}
