import { createHash } from 'node:crypto';
import { checkFieldDefinition, completeFieldDefinition } from '../definitions/check-field-definition.js';
import { isSlug, type DefinitionProblem } from '../definitions/slugs.js';
import type { FieldDefinition, FieldValidation } from '../fields/field-definition.js';
import { blockFieldTypes, type FieldType } from '../fields/field-types.js';

/** A field of a block type (sheet rest-shapes, section 6). */
export interface BlockField {
  slug: string;
  label: string;
  type: FieldType;
  required?: boolean | undefined;
  defaultValue?: unknown;
  validation?: FieldValidation | undefined;
  options?: { darkVariant?: boolean | undefined } | undefined;
}

/**
 * Checks the fields of a block type (document 3, `blocks` rules): types that blocks may hold, rules that fit the type,
 * unique slugs. Slugs that are reserved for fields of collections are allowed.
 * @returns all problems; each path begins with the index of the field
 */
export function checkBlockFields(fields: readonly BlockField[]): DefinitionProblem[] {
  const slugs = new Set<string>();
  return fields.flatMap((field, index) => {
    const problems = blockFieldProblems(field);
    if (slugs.has(field.slug)) problems.push(problem('slug', 'must be unique in the block type'));
    slugs.add(field.slug);
    return problems.map((found) => ({ ...found, path: `${index}.${found.path}` }));
  });
}

function blockFieldProblems(field: BlockField): DefinitionProblem[] {
  if (!blockFieldTypes.has(field.type)) {
    return [problem('type', `must be one of: ${[...blockFieldTypes].join(', ')}`)];
  }
  const anySlug = isSlug(field.slug) ? 'field' : field.slug;
  return checkFieldDefinition({ ...field, slug: anySlug }).map(({ path, message }) => problem(path, message));
}

function problem(path: string, message: string): DefinitionProblem {
  return { code: 'VALIDATION_ERROR', path, message };
}

/** The field definition for the validation of values. @param field a field without problems */
export function blockFieldDefinition(field: BlockField): FieldDefinition {
  return completeFieldDefinition({ ...field });
}

/**
 * A hash of the properties that affect values: of the order of fields, but not of labels or the order of properties.
 */
export function blockFingerprint(fields: readonly BlockField[]): string {
  return createHash('sha256')
    .update(JSON.stringify(fields.map(canonicalField)))
    .digest('hex');
}

function canonicalField({ label: _label, validation, required, ...field }: BlockField): unknown {
  const subFields = validation?.subFields?.map(({ label: _subLabel, ...subField }) => subField);
  return sorted({
    ...field,
    required: required === true,
    validation: validation && { ...validation, ...(subFields && { subFields }) },
  });
}

/** The same value with the keys of its objects sorted and undefined properties left out. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined && part !== null);
  return Object.fromEntries(
    entries.sort(([left], [right]) => (left < right ? -1 : 1)).map(([key, part]) => [key, sorted(part)]),
  );
}
