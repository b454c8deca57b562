import { isPlainObject, type Checker, type CheckRun, type CompiledRecord } from './check-run.js';
import type { CheckedField } from './field-definition.js';
import { reasons } from './issues.js';
import { checkRecord, type RecordRules } from './record.js';

/** `repeater`: a list of rows, each held against the sub-fields as a whole. */
export function repeaterChecker(field: CheckedField, row: CompiledRecord): Checker {
  const limits = field.validation ?? {};
  return (value, path, run) => {
    if (!isListWithin(value, limits, path, run)) return undefined;
    const rules: RecordRules = {
      isWhole: true,
      fillsDefaults: false,
      dropsUnknown: run.mode === 'publish',
      ignoresReserved: false,
    };
    return value.map((entry, index) => {
      const place = `${path}.${index}`;
      if (isPlainObject(entry)) return checkRecord(row, entry, { path: place, run, rules });
      run.refuse(place, reasons.type('object'));
      return undefined;
    });
  };
}

/** Refuses what is not a list or has too few or too many entries; a list that is too long is not looked into. */
export function isListWithin(
  value: unknown,
  limits: { minItems?: number; maxItems?: number },
  path: string,
  run: CheckRun,
): value is unknown[] {
  if (!Array.isArray(value)) {
    run.refuse(path, reasons.type('list'));
    return false;
  }
  if (limits.maxItems !== undefined && value.length > limits.maxItems) {
    run.refuse(path, reasons.maxItems(limits.maxItems));
    return false;
  }
  if (limits.minItems !== undefined && value.length < limits.minItems) {
    run.refuse(path, reasons.minItems(limits.minItems));
  }
  return true;
}
