import { ValidationContext, isPlainObject } from '../fields/validation-context.js';
import { compileField } from '../fields/compile-field.js';
import type { FieldDefinition, FieldValidation } from '../fields/field-definition.js';
import { fieldTypes, indexableTypes, isFieldType, type FieldType } from '../fields/field-types.js';
import { jsonFault } from '../fields/storable-json.js';
import { checkFieldSlug, type DefinitionProblem } from './slugs.js';
import { isLabel } from './sub-fields.js';
import { ruleProblems } from './validation-rules.js';

/** A field definition as a client sends it: its properties are not validated yet. */
export type FieldDefinitionInput = { readonly [Property in keyof FieldDefinition]?: unknown };

const flags = ['required', 'unique', 'searchable', 'indexed', 'translatable'] as const;
/** Properties that a blocks field cannot have (document 3, `blocks` rules). */
const notForBlocks = ['required', 'unique', 'searchable', 'defaultValue', 'widget', 'options'] as const;
/** Properties that need a column or a text; a relation-bound reference has neither. */
const notForRelations = ['unique', 'searchable', 'defaultValue'] as const;

/**
 * Checks the definition of a field (document 3, field types; sheet import-and-fields, 4.1).
 * @param input the definition, complete or with unset properties left out or null
 * @param how `isStored` for a definition that was saved before, where a bound reference carries both its relation and
 *   target
 * @returns all problems, each with a code and the property's path; empty for a valid definition
 */
export function checkFieldDefinition(
  input: FieldDefinitionInput,
  how: { isStored?: boolean } = {},
): DefinitionProblem[] {
  const problems = commonProblems(input);
  const { type } = input;
  if (!isFieldType(type)) return [...problems, invalid('type', `must be one of: ${fieldTypes.join(', ')}`)];

  problems.push(
    ...ruleProblems(type, input.validation).map(({ path, message }) =>
      invalid(join('validation', path), message),
    ),
  );
  problems.push(...optionProblems(type, input.options));
  if (type === 'blocks') problems.push(...blocksProblems(input));
  if (type === 'reference') problems.push(...referenceProblems(input, how.isStored === true));
  if (input.indexed === true && !isIndexable(type, input)) {
    problems.push({
      code: 'FIELD_NOT_INDEXABLE',
      path: 'indexed',
      message: `is not available for this ${type} field`,
    });
  }
  // A default can only be checked against valid rules.
  return problems.length > 0 ? problems : defaultProblems(completeFieldDefinition(input));
}

/**
 * Fills the unset properties of a checked definition: flags with their documented defaults, the rest with null.
 * @param input a definition without problems
 */
export function completeFieldDefinition(input: FieldDefinitionInput): FieldDefinition {
  return {
    slug: input.slug as string,
    label: input.label as string,
    type: input.type as FieldType,
    required: input.required === true,
    unique: input.unique === true,
    searchable: input.searchable === true,
    indexed: input.indexed === true,
    translatable: input.translatable !== false,
    defaultValue: defaultValueOf(input),
    validation: (input.validation ?? null) as FieldValidation | null,
    widget: (input.widget ?? null) as string | null,
    options: (input.options ?? null) as Record<string, unknown> | null,
    sortOrder: (input.sortOrder ?? null) as number | null,
  };
}

/** For a boolean field 0 and 1 are false and true, as in the values of entries (decision 39). */
function defaultValueOf({ type, defaultValue = null }: FieldDefinitionInput): unknown {
  const isBit = type === 'boolean' && (defaultValue === 0 || defaultValue === 1);
  return isBit ? defaultValue === 1 : defaultValue;
}

function commonProblems(input: FieldDefinitionInput): DefinitionProblem[] {
  const slug = checkFieldSlug(input.slug);
  const problems = slug === null ? [] : [slug];
  if (!isLabel(input.label)) problems.push(invalid('label', 'must be a non-empty string'));
  for (const flag of flags) {
    if (isSet(input[flag]) && typeof input[flag] !== 'boolean')
      problems.push(invalid(flag, 'must be a boolean'));
  }
  if (isSet(input.widget) && !isLabel(input.widget))
    problems.push(invalid('widget', 'must be a non-empty string'));
  if (isSet(input.sortOrder) && !(Number.isSafeInteger(input.sortOrder) && Number(input.sortOrder) >= 0)) {
    problems.push(invalid('sortOrder', 'must be a whole number of at least 0'));
  }
  return problems;
}

function optionProblems(type: FieldType, options: unknown): DefinitionProblem[] {
  if (!isSet(options)) return [];
  if (!isPlainObject(options)) return [invalid('options', 'must be an object')];
  const fault = jsonFault(options);
  if (fault !== null) return [invalid(join('options', fault.path.join('.')), fault.reason.message)];

  const problems: DefinitionProblem[] = [];
  const { rows, darkVariant, allowMultiple } = options;
  if (type === 'text' && isSet(rows) && !(Number.isSafeInteger(rows) && Number(rows) >= 1)) {
    problems.push(invalid('options.rows', 'must be a whole number of at least 1'));
  }
  if (type === 'image' && isSet(darkVariant) && typeof darkVariant !== 'boolean') {
    problems.push(invalid('options.darkVariant', 'must be a boolean'));
  }
  if (type === 'reference' && isSet(allowMultiple) && typeof allowMultiple !== 'boolean') {
    problems.push(invalid('options.allowMultiple', 'must be a boolean'));
  }
  return problems;
}

function blocksProblems(input: FieldDefinitionInput): DefinitionProblem[] {
  const problems = notForBlocks
    .filter((property) => isSet(input[property]) && input[property] !== false)
    .map((property) => invalid(property, 'cannot be set on a blocks field'));
  if (rulesOf(input)['required'] === true)
    problems.push(invalid('validation.required', 'cannot be set on a blocks field'));
  return problems;
}

function referenceProblems(input: FieldDefinitionInput, isStored: boolean): DefinitionProblem[] {
  const { targetCollection, relation, relationSide } = rulesOf(input);
  const problems: DefinitionProblem[] = [];
  if (relation !== undefined && targetCollection !== undefined && !isStored) {
    problems.push(invalid('validation.relation', 'cannot be given beside targetCollection'));
  }
  if (relationSide !== undefined && relation === undefined) {
    problems.push(invalid('validation.relationSide', 'needs a relation'));
  }
  if (!bindsRelation(input)) return problems;
  for (const property of notForRelations) {
    if (isSet(input[property]) && input[property] !== false) {
      problems.push(invalid(property, 'cannot be set on a reference field bound to a relation'));
    }
  }
  return problems;
}

function isIndexable(type: FieldType, input: FieldDefinitionInput): boolean {
  return indexableTypes.has(type) && !(type === 'reference' && bindsRelation(input));
}

/** A target collection requests a new relation, a relation an existing one. */
function bindsRelation(input: FieldDefinitionInput): boolean {
  const { targetCollection, relation } = rulesOf(input);
  return targetCollection !== undefined || relation !== undefined;
}

function defaultProblems(field: FieldDefinition): DefinitionProblem[] {
  if (field.defaultValue === null || field.type === 'blocks') return [];
  const context = new ValidationContext('create', 'api', {});
  const compiled = compileField(field, null);
  if (field.defaultValue === '' && compiled.isRequired)
    return [invalid('defaultValue', 'must not be empty: the field is required')];
  compiled.check(field.defaultValue, 'defaultValue', context);
  return context.issues.map(({ path, message }) => invalid(path, message));
}

function rulesOf(input: FieldDefinitionInput): Record<string, unknown> {
  return isPlainObject(input.validation) ? input.validation : {};
}

function invalid(path: string, message: string): DefinitionProblem {
  return { code: 'VALIDATION_ERROR', path, message };
}

function join(parent: string, path: string): string {
  return path === '' ? parent : `${parent}.${path}`;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
