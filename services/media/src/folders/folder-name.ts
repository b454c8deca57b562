import { createHash } from 'node:crypto';

/**
 * Returns the key by which names of folders are compared and ordered: normalised (NFKC) and in lower case (document 1,
 * Media item). The second normalisation is needed because lower-casing can denormalise.
 */
export function folderNameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().normalize('NFKC');
}

/** Returns a digest of the key. The key may be too long for an index: NFKC turns some characters into eighteen. */
export function folderNameDigest(nameKey: string): string {
  return createHash('sha256').update(nameKey).digest('hex');
}
