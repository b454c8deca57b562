import { isEqual } from './equality.js';
import { conflictsBelow, unresolved, type ItemConflict, type Merged } from './merge-conflict.js';
import { increasingSubsequence } from './sequence-diff.js';

/** The three versions of a value. A version without it is undefined. */
export interface Versions<Value = unknown> {
  base: Value;
  mine: Value;
  theirs: Value;
}

/** The items of a list, by their keys, in order. */
export type KeyedItems = ReadonlyMap<string, unknown>;

/** The items of a merged list, and what is left to decide. */
interface MergedItems {
  items: KeyedItems;
  conflicts: readonly ItemConflict[];
}

/**
 * Merges lists whose items have keys. An item that one side has deleted and the other has changed stays, with a
 * conflict. The order is theirs, with my moves and insertions after the same left neighbour.
 * @param mergeItem merges an item that both sides have, and have changed in different ways
 */
export function mergeKeyedItems(
  versions: Versions<KeyedItems>,
  mergeItem: (item: Versions) => Merged,
): MergedItems {
  const { mine, theirs } = versions;
  const merged = new Map<string, unknown>();
  const conflicts: ItemConflict[] = [];
  for (const key of new Set([...mine.keys(), ...theirs.keys()])) {
    const item = mergeEntry(versions, key, mergeItem);
    if (item === undefined) continue;
    merged.set(key, item.value);
    conflicts.push(...conflictsBelow(key, item.conflicts));
  }
  const order = mergedOrder(versions, merged);
  return { items: new Map(order.map((key) => [key, merged.get(key)])), conflicts };
}

/** @returns undefined for an item that is deleted. */
function mergeEntry(
  { base, mine, theirs }: Versions<KeyedItems>,
  key: string,
  mergeItem: (item: Versions) => Merged,
): Merged | undefined {
  const item = { base: base.get(key), mine: mine.get(key), theirs: theirs.get(key) };
  if (mine.has(key) && theirs.has(key)) return mergeVersions(item, mergeItem);
  const present = mine.has(key) ? item.mine : item.theirs;
  if (!base.has(key)) return { value: present, conflicts: [] };
  return isEqual(present, item.base) ? undefined : unresolved(item.mine, item.theirs);
}

/** The version of the side that has changed the value; if both have, the result of `merge`. */
export function mergeVersions(versions: Versions, merge: (versions: Versions) => Merged): Merged {
  const { base, mine, theirs } = versions;
  if (isEqual(mine, theirs) || isEqual(theirs, base)) return { value: mine, conflicts: [] };
  if (isEqual(mine, base)) return { value: theirs, conflicts: [] };
  return merge(versions);
}

function mergedOrder({ base, mine, theirs }: Versions<KeyedItems>, merged: KeyedItems): string[] {
  const order = [...theirs.keys()].filter((key) => merged.has(key));
  const placed = new Set(order);
  const moved = movedKeys(base, mine);
  let leftNeighbour: string | undefined;
  for (const key of mine.keys()) {
    if (!merged.has(key)) continue;
    const isMoved = moved.has(key);
    if (placed.has(key) && isMoved) order.splice(order.indexOf(key), 1);
    if (isMoved || !placed.has(key))
      order.splice(leftNeighbour === undefined ? 0 : order.indexOf(leftNeighbour) + 1, 0, key);
    placed.add(key);
    leftNeighbour = key;
  }
  return order;
}

/** The fewest items whose moves make the order of `after`. */
function movedKeys(before: KeyedItems, after: KeyedItems): ReadonlySet<string> {
  const places = new Map([...before.keys()].map((key, index) => [key, index]));
  const common = [...after.keys()].filter((key) => places.has(key));
  const inPlace = increasingSubsequence(common.map((key) => places.get(key) ?? 0));
  return new Set(common.filter((_, index) => !inPlace.has(index)));
}
