import type { CheckRun, CompiledField, CompiledRecord } from './check-run.js';
import { reasons } from './issues.js';

/** How an object is held against its fields. */
export interface RecordRules {
  /** Absent required fields are refused (a whole object, not a partial update). */
  isWhole: boolean;
  /** Absent fields take their default. */
  fillsDefaults: boolean;
  /** Keys without a field are left out instead of refused: a stored draft may be older than the collection. */
  dropsUnknown: boolean;
  /** Keys starting with `_` are reserved and ignored. */
  ignoresReserved: boolean;
}

/** Checks an object against its fields and returns the normalised object, on no prototype so that any slug is safe in it. */
export function checkRecord(
  record: CompiledRecord,
  data: Readonly<Record<string, unknown>>,
  at: { path: string; run: CheckRun; rules: RecordRules },
): Record<string, unknown> {
  const { path, run, rules } = at;
  const values = Object.create(null) as Record<string, unknown>;
  const placeOf = (slug: string): string => (path === '' ? slug : `${path}.${slug}`);

  for (const key of Object.keys(data)) {
    if (rules.ignoresReserved && key.startsWith('_')) continue;
    const field = record.fields.get(key);
    if (field === undefined || !field.hasColumn) {
      if (rules.dropsUnknown) continue;
      run.refuse(
        placeOf(key),
        field === undefined ? reasons.unknownField(record.owner) : reasons.relationLinks(record.owner),
      );
    } else if (data[key] !== undefined) {
      values[key] = checkField(field, data[key], placeOf(key), run);
    }
  }

  for (const field of record.fields.values()) {
    if (!field.hasColumn || (Object.hasOwn(data, field.slug) && data[field.slug] !== undefined)) continue;
    if (rules.fillsDefaults && field.defaultValue !== null) {
      // The checked copy is the entry's own: a default object is never shared between entries.
      values[field.slug] = field.check(structuredClone(field.defaultValue), placeOf(field.slug), run);
    } else if (rules.isWhole && field.isRequired) {
      run.refuse(placeOf(field.slug), reasons.required());
    }
  }
  return values;
}

function checkField(field: CompiledField, value: unknown, path: string, run: CheckRun): unknown {
  if (field.isRequired && (value === null || value === '')) {
    run.refuse(path, reasons.required());
    return undefined;
  }
  if (value !== null) return field.check(value, path, run);
  return field.isEmptyList ? field.check([], path, run) : null;
}
