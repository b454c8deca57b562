import {
  isPlainObject,
  type FieldValidator,
  type ValidationContext,
  type CompiledRecord,
} from './validation-context.js';
import type { CheckedField } from './field-definition.js';
import { validationMessages } from './issues.js';
import { checkRecord, type RecordRules } from './record.js';

/** `repeater`: a list of rows, each validated as a whole object against the sub-fields. */
export function repeaterValidator(field: CheckedField, row: CompiledRecord): FieldValidator {
  const limits = field.validation ?? {};
  return (value, path, context) => {
    if (!isListWithin(value, limits, path, context)) return undefined;
    const rules: RecordRules = {
      isWhole: true,
      fillsDefaults: false,
      dropsUnknown: context.mode === 'publish',
      ignoresReserved: false,
    };
    return value.map((entry, index) => {
      const itemPath = `${path}.${index}`;
      if (isPlainObject(entry)) return checkRecord(row, entry, { path: itemPath, context, rules });
      context.addIssue(itemPath, validationMessages.type('object'));
      return undefined;
    });
  };
}

/** Adds an issue for a value that is no list or has too few or too many items. Items of too long a list are skipped. */
export function isListWithin(
  value: unknown,
  limits: { minItems?: number; maxItems?: number },
  path: string,
  context: ValidationContext,
): value is unknown[] {
  if (!Array.isArray(value)) {
    context.addIssue(path, validationMessages.type('list'));
    return false;
  }
  if (limits.maxItems !== undefined && value.length > limits.maxItems) {
    context.addIssue(path, validationMessages.maxItems(limits.maxItems));
    return false;
  }
  if (limits.minItems !== undefined && value.length < limits.minItems) {
    context.addIssue(path, validationMessages.minItems(limits.minItems));
  }
  return true;
}
