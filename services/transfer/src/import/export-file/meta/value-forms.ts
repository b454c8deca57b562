import { jsonFault } from '@quire/content-model';
import { parse } from 'secure-json-parse';
import { normaliseSeedDatetime } from '@quire/values';
import { readMetaValue, type JsonValue } from './meta-value.js';

const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const fraction = /^-?\.\d+$/;
const dateForm = /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;
const compactDate = /^(\d{4})(\d{2})(\d{2})$/;
const maxExactDigits = 15;

/**
 * The number that a text is, in the notation of JSON or with a bare fraction.
 * @returns null for anything else: empty text, units, a comma, leading zeros, and more digits than a number can hold
 */
export function numberOf(text: string): number | null {
  if (!decimal.test(text) && !fraction.test(text)) return null;
  const digits = text.replace(/[eE].*$/, '').replace(/^-?0*\.?0*|\D/g, '');
  const number = Number(text);
  return digits.length <= maxExactDigits && Number.isFinite(number) ? number : null;
}

/** The truth value of `0`, `1`, `true`, `false`, in any case; null for anything else. */
export function booleanOf(text: string): boolean | null {
  const lower = text.toLowerCase();
  if (lower === '1' || lower === 'true') return true;
  return lower === '0' || lower === 'false' ? false : null;
}

/** Whether a text is written like a date, though the calendar may lack the day. */
export function hasDateForm(text: string): boolean {
  return dateForm.test(text);
}

/** Whether a text is a date without separators, `YYYYMMDD`, which the calendar has. */
export function isCompactDate(text: string): boolean {
  return compactDate.test(text) && datetimeOf(text) !== null;
}

/**
 * The instant of a date; without a zone it is UTC.
 * @returns `YYYY-MM-DDTHH:MM:SS.mmmZ`, or null if it is no date of the calendar
 */
export function datetimeOf(text: string): string | null {
  return normaliseSeedDatetime(text.replace(compactDate, '$1-$2-$3'));
}

/** The text of a value, without PHP's serialised form around a single one. */
export function scalarText(value: string): string {
  const parsed = readMetaValue(value);
  return parsed === null || typeof parsed === 'object' ? value : String(parsed);
}

/**
 * A list or an object, from PHP's serialised form or from JSON.
 * @returns null if the text is neither, or has a part that cannot be stored: U+0000, an unpaired surrogate
 */
export function structureOf(text: string): JsonValue | null {
  const value = readMetaValue(text);
  if (typeof value === 'object') return value;
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return null;
  try {
    const parsed = parse(trimmed) as JsonValue;
    // In a list, as the values of a repeated key are.
    return jsonFault([parsed]) === null ? parsed : null;
  } catch {
    return null;
  }
}
