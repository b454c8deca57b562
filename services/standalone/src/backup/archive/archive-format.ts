import type { Hash } from 'node:crypto';

/** The last entry, with the digest of all others. */
export const endName = 'end.json';

/** Entries of rows have about this size: one is in memory at a time. */
export const maxPieceBytes = 4 * 1024 * 1024;

export const pieceName = (prefix: string, number: number): string =>
  `${prefix}/${String(number).padStart(6, '0')}`;

/** Begins an entry in a digest. Its bytes follow; with the size before them no two archives have the same input. */
export const addToDigest = (digest: Hash, name: string, size: number): Hash =>
  digest.update(`${name}\0${size}\0`);
