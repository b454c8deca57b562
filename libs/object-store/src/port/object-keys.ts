import { BadObjectKey } from './object-store-errors.js';

/**
 * What both stores take without trouble: a file name can be so long, and `+` or spaces come back changed from some
 * servers.
 */
const maxKeyLength = 240;
const segment = '[A-Za-z0-9_-][A-Za-z0-9._-]*';
const wholeKey = new RegExp(`^(?<tenant>${segment})/(?<name>${segment}(?:/${segment})*)$`);
const keyPrefix = new RegExp(`^(?<tenant>${segment})/(?<name>(?:${segment}/)*(?:${segment})?)$`);

export interface ParsedKey {
  tenant: string;
  /** What follows the tenant; it may have parts of its own, divided by `/`. */
  name: string;
}

/**
 * Takes a key apart. A key has at least two segments of ASCII letters, digits, `.`, `_` and `-`, none of which begins
 * with a dot: nothing in it can lead out of the tenant, and every store spells it alike.
 * @throws BadObjectKey
 */
export function parseKey(key: string): ParsedKey {
  return match(wholeKey, key);
}

/** Takes apart what keys begin with: a whole tenant, then any beginning of a name. @throws BadObjectKey */
export function parsePrefix(prefix: string): ParsedKey {
  return match(keyPrefix, prefix);
}

function match(form: RegExp, text: string): ParsedKey {
  const { tenant, name } = (text.length <= maxKeyLength ? form.exec(text)?.groups : undefined) ?? {};
  if (tenant === undefined || name === undefined) throw new BadObjectKey(text);
  return { tenant, name };
}
