import { toStorableText } from '@quire/values';

/** JSON text with an escape of U+0000 or of a surrogate; valid pairs are written without escapes. */
const suspicious = /\\u(?:0000|d[89a-f])/i;

/**
 * Cleans all texts of a JSON value, keys included, as `toStorableText`.
 * @returns the value itself when nothing has to be cleaned
 */
export function cleanJson<Value>(value: Value): Value {
  return suspicious.test(JSON.stringify(value) ?? '') ? (cleaned(value) as Value) : value;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [toStorableText(key), cleaned(member)]),
  );
}
