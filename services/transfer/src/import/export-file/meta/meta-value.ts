import { unserialize } from 'php-serialize';
import { withCountedLengths } from './string-lengths.js';

/** A value that JSON can represent. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** No class of this program is offered to serialised objects. */
const noClasses = Object.create(null) as Record<string, never>;
const serialised = /^(?:a:\d+:\{.*\}|s:\d+:".*";|i:[+-]?\d+;|d:[^;]+;|b:[01];|N;)$/s;
const sentinel = 'end of the value';
/** Below the depth that a field of type json accepts. */
const maxDepth = 60;

/**
 * Reads a meta value (2.6): a value that the source serialised as PHP does is parsed, any other is text. Lengths of
 * strings count bytes of UTF-8; wrong ones are counted again. Objects, references and values that are not whole are not
 * read.
 * @returns the parsed value with arrays as lists or objects; the text itself if it cannot be read
 */
export function readMetaValue(value: string): JsonValue {
  const text = value.trim();
  // A key of that name would change the prototype of the object that the parser builds.
  if (!serialised.test(text) || text.includes('"__proto__"')) return value;
  const parsed = parsedValue(text);
  if (parsed !== undefined) return parsed;
  const counted = withCountedLengths(text);
  return (counted === null ? undefined : parsedValue(counted)) ?? value;
}

/** The value, or undefined if it cannot be parsed or holds what JSON cannot. */
function parsedValue(text: string): JsonValue | undefined {
  try {
    return jsonValue(parseWhole(text), 0);
  } catch {
    return undefined;
  }
}

/** The parser ignores what follows a value; within a list, anything but the next element is an error. */
function parseWhole(text: string): unknown {
  const list: unknown = unserialize(`a:2:{i:0;${text}i:1;s:${sentinel.length}:"${sentinel}";}`, noClasses);
  if (!Array.isArray(list) || list.length !== 2 || list[1] !== sentinel)
    throw new SyntaxError('not one value');
  return list[0];
}

function jsonValue(value: unknown, depth: number): JsonValue {
  if (depth > maxDepth) throw new RangeError('nested too deeply');
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  // Beyond 2^53 a number of JSON loses digits.
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return Array.from(value, (entry) => jsonValue(entry, depth + 1));
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) {
    throw new TypeError('not a value of JSON');
  }
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, jsonValue(entry, depth + 1)]));
}
