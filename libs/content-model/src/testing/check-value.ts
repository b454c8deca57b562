import type { BlockTypes } from '../fields/blocks-field.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { compileFields } from '../validation/compile-fields.js';
import {
  validateValues,
  type ValidatedValues,
  type ValidationOptions,
} from '../validation/validate-values.js';
import type { WriteMode } from '../fields/validation-context.js';
import { buildField } from './build-field.js';

export interface CheckedValue extends ValidatedValues {
  value: unknown;
  /** The issues, each as `path code`. */
  found: string[];
}

/** Checks one submitted value of one field of a collection `posts`; the field's slug is `field`. */
export function checkValue(
  parts: Partial<FieldDefinition>,
  value: unknown,
  how: { mode?: WriteMode; blockTypes?: BlockTypes } & ValidationOptions = {},
): CheckedValue {
  const { mode = 'create', blockTypes, ...options } = how;
  const compiled = compileFields([buildField(parts)], 'posts', { blockTypes });
  const result = validateValues(compiled, { field: value }, mode, options);
  return {
    ...result,
    value: result.values['field'],
    found: result.issues.map(({ path, code }) => `${path} ${code}`),
  };
}
