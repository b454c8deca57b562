import { isStorableText } from '@quire/values';
import { validationMessages, type IssueReason } from './issues.js';

/** How deep objects and lists inside one value may be nested. */
const maxJsonDepth = 64;

/** The reason why a JSON value cannot be stored, and its path inside the value. */
export interface JsonFault {
  path: string[];
  reason: IssueReason;
}

/**
 * Finds parts of a JSON value that cannot be stored: U+0000 and unpaired surrogates in texts and keys, numbers that
 * JSON cannot express, values that are not JSON, and nesting beyond `maxJsonDepth`.
 * @returns the first fault, or null
 */
export function jsonFault(value: unknown, depth = 0): JsonFault | null {
  if (typeof value === 'string') {
    return isStorableText(value) ? null : { path: [], reason: validationMessages.characters() };
  }
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value === 'number') {
    // 1e999 parses to Infinity, which JSON.stringify would silently turn into null.
    return Number.isFinite(value) ? null : { path: [], reason: validationMessages.type('number') };
  }
  if (typeof value !== 'object') return { path: [], reason: validationMessages.type('JSON') };
  if (depth === maxJsonDepth) return { path: [], reason: validationMessages.depth(maxJsonDepth) };
  return containerFault(value, depth + 1);
}

function containerFault(container: object, depth: number): JsonFault | null {
  if (Array.isArray(container)) {
    for (let index = 0; index < container.length; index += 1) {
      const fault = jsonFault(container[index], depth);
      if (fault !== null) return within(String(index), fault);
    }
    return null;
  }
  for (const [key, entry] of Object.entries(container)) {
    if (!isStorableText(key)) return { path: [], reason: validationMessages.characters() };
    const fault = jsonFault(entry, depth);
    if (fault !== null) return within(key, fault);
  }
  return null;
}

function within(key: string, fault: JsonFault): JsonFault {
  fault.path.unshift(key);
  return fault;
}
