import type { Versions } from './keyed-merge.js';

/** Merges selections of entries as sets: their order, without what I have removed, then what I have added. */
export function mergeSelections({ base, mine, theirs }: Versions<readonly string[]>): string[] {
  const [before, own, other] = [new Set(base), new Set(mine), new Set(theirs)];
  const kept = [...other].filter((id) => own.has(id) || !before.has(id));
  const added = [...own].filter((id) => !before.has(id) && !other.has(id));
  return [...kept, ...added];
}

/** Whether two selections have the same entries, in any order. */
export function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  const ids = new Set(a);
  return ids.size === new Set(b).size && b.every((id) => ids.has(id));
}
