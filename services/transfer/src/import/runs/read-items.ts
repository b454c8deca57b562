import type { ObjectStore } from '@quire/object-store';
import { QuireError } from '@quire/errors';
import { readRange } from './export-file-store.js';
import type { StoredItem } from './import-items.repository.js';

/** A gap between items up to which one request for all is cheaper than one for each. */
const maxGapBytes = 1024 * 1024;

/** Reads the sources of items, which are in file order, with one request for those that are near each other. */
export async function readItems(
  store: ObjectStore,
  fileKey: string | null,
  items: readonly Pick<StoredItem, 'offset' | 'length'>[],
): Promise<Buffer[]> {
  if (fileKey === null)
    throw new QuireError('IMPORT_ERROR', 'The stored file of the import has been deleted');
  const parts: Buffer[] = [];
  for (const group of groupsOf(items)) {
    const start = group[0]?.offset ?? 0;
    const last = group.at(-1);
    const length = (last ? last.offset + last.length : start) - start;
    const bytes = await readRange(store, fileKey, { offset: start, length });
    parts.push(
      ...group.map((item) => bytes.subarray(item.offset - start, item.offset - start + item.length)),
    );
  }
  return parts;
}

function groupsOf<Item extends { offset: number; length: number }>(items: readonly Item[]): Item[][] {
  const groups: Item[][] = [];
  let end = -Infinity;
  for (const item of items) {
    const group = groups.at(-1);
    if (group && item.offset - end <= maxGapBytes) group.push(item);
    else groups.push([item]);
    end = item.offset + item.length;
  }
  return groups;
}
