import xxhash from 'xxhash-wasm';
import type { ExportItem } from '../../export-file/index.js';

const hashes = await xxhash();

/** Changes when the same source is converted in another way. */
const conversionVersion = 2;

/** The hash of everything that an entry is made of: an import with an equal one changes nothing. */
export function fingerprintOf(item: ExportItem, collection: string): string {
  const { comments: _, ...source } = item;
  return hashes.h64ToString(JSON.stringify([conversionVersion, collection, source]));
}
