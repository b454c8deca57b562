import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ParsedKey } from '../port/object-keys.js';

/** Begins with a dot, unlike any tenant. */
export const unfinishedFolder = '.unfinished';
/** Replaces the `/` of a key in a file name; keys do not contain it. */
const divider = '@';
const fanOutDigits = 2;

export const tenantFolder = (root: string, tenant: string) => join(root, tenant);

/**
 * The folder of an object: `<tenant>/<two hexadecimal digits of the name's hash>`. The digits keep folders small; 256
 * of them hold a million objects at some 4000 each.
 */
function objectFolder(root: string, { tenant, name }: ParsedKey): string {
  const digits = createHash('sha256').update(name).digest('hex').slice(0, fanOutDigits);
  return join(tenantFolder(root, tenant), digits);
}

export const objectPath = (root: string, key: ParsedKey) =>
  join(objectFolder(root, key), key.name.replaceAll('/', divider));

/** The name of the object of a file. */
export const nameOfFile = (file: string) => file.replaceAll(divider, '/');
