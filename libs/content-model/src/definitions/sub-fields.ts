import { isPlainObject } from '../fields/validation-context.js';
import { subFieldTypes } from '../fields/field-types.js';
import { isStorableText } from '@quire/values';
import { choiceProblems, type RuleProblem } from './choices.js';
import { isSlug } from './slugs.js';

const types: readonly unknown[] = subFieldTypes;
const properties: ReadonlySet<string> = new Set(['slug', 'label', 'type', 'required', 'options']);

/**
 * Checks the sub-fields of a repeater (document 3, `repeater` rules): at least one; slugs of the common pattern, unique
 * in the row and free of the reserved list; choices only for a select.
 */
export function subFieldProblems(value: unknown, path: string): RuleProblem[] {
  if (!Array.isArray(value) || value.length === 0)
    return [{ path, message: 'must be a list of at least one sub-field' }];
  const slugs = new Set<unknown>();
  return value.flatMap((subField: unknown, index) => {
    const itemPath = `${path}.${index}`;
    if (!isPlainObject(subField)) return [{ path: itemPath, message: 'must be an object' }];
    const problems = subFieldProblem(subField, itemPath);
    if (slugs.has(subField['slug']))
      problems.push({ path: `${itemPath}.slug`, message: 'must be unique in the repeater' });
    slugs.add(subField['slug']);
    return problems;
  });
}

function subFieldProblem(subField: Record<string, unknown>, itemPath: string): RuleProblem[] {
  const { slug, label, type, required, options } = subField;
  const problems: RuleProblem[] = [];
  const addIssue = (property: string, message: string): void => {
    problems.push({ path: `${itemPath}.${property}`, message });
  };
  for (const property of Object.keys(subField)) {
    if (!properties.has(property)) addIssue(property, 'is not a property of sub-fields');
  }
  if (!isSlug(slug)) addIssue('slug', 'must be a slug');
  if (!isLabel(label)) addIssue('label', 'must be a non-empty string');
  if (!types.includes(type)) addIssue('type', `must be one of: ${subFieldTypes.join(', ')}`);
  if (required !== undefined && typeof required !== 'boolean') addIssue('required', 'must be a boolean');
  if (options !== undefined) {
    if (type === 'select') problems.push(...choiceProblems(options, `${itemPath}.options`));
    else addIssue('options', 'belongs to select sub-fields only');
  }
  return problems;
}

/** Whether a value can be a label: text that is not blank. */
export function isLabel(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && isStorableText(value);
}
