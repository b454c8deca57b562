import {
  checkFieldColumn,
  checkFieldDefinition,
  type DefinitionProblem,
  type FieldDefinition,
  type FieldDefinitionInput,
} from '@quire/content-model';
import { invalidInput, QuireError } from '@quire/errors';
import type { StoredField } from './fields.repository.js';

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
  const problem = checkFieldColumn(input as Partial<FieldDefinition>);
  throwFirstProblem(problem === null ? [] : [problem]);
}

/** The largest value of the column of sort orders. */
export const maxSortOrder = 2_147_483_647;

/** @returns the position after the last field. */
export function nextSortOrder(fields: readonly StoredField[]): number {
  const next = fields.reduce((highest, { sortOrder }) => Math.max(highest, sortOrder + 1), 0);
  return Math.min(next, maxSortOrder);
}
