import { BadObjectKey } from './object-store-errors.js';

/** Both stores accept keys of this form: file names have a maximum length, and some servers change `+` and spaces. */
const maxKeyLength = 240;
const segment = '[A-Za-z0-9_-][A-Za-z0-9._-]*';
const wholeKey = new RegExp(`^(?<tenant>${segment})/(?<name>${segment}(?:/${segment})*)$`);
const keyPrefix = new RegExp(`^(?<tenant>${segment})/(?<name>(?:${segment}/)*(?:${segment})?)$`);

export interface ParsedKey {
  tenant: string;
  /** The part after the tenant; it may have parts divided by `/`. */
  name: string;
}

/**
 * Parses a key. A key has at least two segments of ASCII letters, digits, `.`, `_` and `-`, none of which begins with a
 * dot: a key cannot leave the tenant, and every store spells it alike.
 * @throws BadObjectKey
 */
export function parseKey(key: string): ParsedKey {
  return match(wholeKey, key);
}

/** Parses the prefix of keys: a whole tenant, then any prefix of a name. @throws BadObjectKey */
export function parsePrefix(prefix: string): ParsedKey {
  return match(keyPrefix, prefix);
}

function match(form: RegExp, text: string): ParsedKey {
  const { tenant, name } = (text.length <= maxKeyLength ? form.exec(text)?.groups : undefined) ?? {};
  if (tenant === undefined || name === undefined) throw new BadObjectKey(text);
  return { tenant, name };
}
