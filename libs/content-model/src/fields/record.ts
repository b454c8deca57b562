import type { ValidationContext, CompiledField, CompiledRecord } from './validation-context.js';
import { validationMessages } from './issues.js';

/** Options for the check of an object against its fields. */
export interface RecordRules {
  /** Absent required fields are errors (a whole object, not a partial update). */
  isWhole: boolean;
  /** Absent fields get their default. */
  fillsDefaults: boolean;
  /** Keys without a field are dropped instead of rejected: a stored draft may be older than the collection. */
  dropsUnknown: boolean;
  /** Keys starting with `_` are reserved and ignored. */
  ignoresReserved: boolean;
}

/**
 * Checks an object against its fields and returns the normalised object, on no prototype so that any slug is safe in
 * it.
 */
export function checkRecord(
  record: CompiledRecord,
  data: Readonly<Record<string, unknown>>,
  at: { path: string; context: ValidationContext; rules: RecordRules },
): Record<string, unknown> {
  const { path, context, rules } = at;
  const values = Object.create(null) as Record<string, unknown>;
  const pathOf = (slug: string): string => (path === '' ? slug : `${path}.${slug}`);

  for (const key of Object.keys(data)) {
    if (rules.ignoresReserved && key.startsWith('_')) continue;
    const field = record.fields.get(key);
    if (field === undefined || !field.hasColumn) {
      if (rules.dropsUnknown) continue;
      context.addIssue(
        pathOf(key),
        field === undefined
          ? validationMessages.unknownField(record.owner)
          : validationMessages.relationLinks(record.owner),
      );
    } else if (data[key] !== undefined) {
      values[key] = checkField(field, data[key], pathOf(key), context);
    }
  }

  for (const field of record.fields.values()) {
    if (!field.hasColumn || (Object.hasOwn(data, field.slug) && data[field.slug] !== undefined)) continue;
    if (rules.fillsDefaults && field.defaultValue !== null) {
      // The checked copy belongs to the entry: entries never share a default object.
      values[field.slug] = field.check(structuredClone(field.defaultValue), pathOf(field.slug), context);
    } else if (rules.isWhole && field.isRequired) {
      context.addIssue(pathOf(field.slug), validationMessages.required());
    }
  }
  return values;
}

function checkField(field: CompiledField, value: unknown, path: string, context: ValidationContext): unknown {
  if (field.isRequired && (value === null || value === '')) {
    context.addIssue(path, validationMessages.required());
    return undefined;
  }
  if (value !== null) return field.check(value, path, context);
  if (!field.isEmptyList) return null;
  if (context.input.blocks?.requiresList) context.addIssue(path, validationMessages.type('list'));
  return field.check([], path, context);
}
