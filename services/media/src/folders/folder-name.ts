import { createHash } from 'node:crypto';

/**
 * A folder's name as names are compared and ordered: Unicode normalised (NFKC) and in lower case (document 1, Media
 * item). Lower-casing may leave a form that is not normalised, hence twice.
 */
export function folderNameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().normalize('NFKC');
}

/** A digest of the key: normalising makes some characters eighteen, more than an index takes. */
export function folderNameDigest(nameKey: string): string {
  return createHash('sha256').update(nameKey).digest('hex');
}
