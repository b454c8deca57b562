import type { FieldType } from '@quire/content-model';
import { isAllowedUrl } from '@quire/values';
import type { ExportMeta } from '../reading/export-item.js';
import { readMetaValue, type JsonValue } from './meta-value.js';
import { booleanOf, datetimeOf, numberOf, scalarText, structureOf } from './value-forms.js';

/** A value that a field accepts, null for none; or that the source's value does not fit (warning META_UNFIT). */
export type FieldValue = { value: JsonValue } | { unfit: true };

const unfit: FieldValue = { unfit: true };

/** The values of an item by their keys, in file order; without the empty key. */
export function metaByKey(meta: readonly ExportMeta[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const { key, value } of meta) {
    if (key === '') continue;
    const others = values.get(key);
    if (others === undefined) values.set(key, [value]);
    else others.push(value);
  }
  return values;
}

/**
 * The value of a field from the values of its meta key (2.6). Nothing is guessed: `19,90 EUR` is no number, and an
 * empty text is no zero.
 * @param raw the values of one item; empty ones count as none, and equal ones as one
 * @returns unfit also for several values of a field that holds one, and for types that hold no meta values
 */
export function metaFieldValue(raw: readonly string[], type: FieldType): FieldValue {
  const filled = raw.filter((value) => value.trim() !== '');
  if (filled.length === 0) return { value: null };
  if (type === 'json') return { value: jsonOf(filled) };
  if (type === 'multiSelect') return choices(filled);
  const [first = ''] = filled;
  return filled.every((value) => value === first) ? single(scalarText(first), type) : unfit;
}

function single(raw: string, type: FieldType): FieldValue {
  const text = raw.trim();
  switch (type) {
    case 'string':
    case 'text':
      return { value: raw };
    case 'slug':
    case 'select':
      return { value: text };
    case 'number':
      return fitting(numberOf(text));
    case 'integer': {
      const number = numberOf(text);
      return Number.isSafeInteger(number) ? fitting(number) : unfit;
    }
    case 'boolean':
      return fitting(booleanOf(text));
    case 'datetime':
      return fitting(datetimeOf(text));
    case 'url':
      return isAllowedUrl(text) ? { value: text } : unfit;
    default:
      return unfit;
  }
}

function fitting(value: JsonValue): FieldValue {
  return value === null ? unfit : { value };
}

function jsonOf(filled: readonly string[]): JsonValue {
  const values = filled.map((text) => structureOf(text) ?? readMetaValue(text));
  return values.length === 1 ? (values[0] ?? null) : values;
}

function choices(filled: readonly string[]): FieldValue {
  const values = filled.length === 1 ? structureOf(filled[0] ?? '') : null;
  const list = Array.isArray(values) ? values : filled.map((text) => text.trim());
  return list.every((entry) => typeof entry === 'string') ? { value: list } : unfit;
}
