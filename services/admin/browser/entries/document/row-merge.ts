import { canonicalJson, isRecord } from './equality.js';
import { mergeKeyedItems, type Versions } from './keyed-merge.js';
import { unresolved, type ItemConflict } from './merge-conflict.js';
import { diffSequences, matchSequences } from './sequence-diff.js';

type Rows = readonly unknown[];

/**
 * Merges rows without keys. Rows are the same if they are equal in the longest common subsequence, have been moved
 * without a change, or are most alike between equal ones. A row that both sides have changed is a conflict; its path is
 * the index in the merged rows.
 */
export function mergeRows({ base, mine, theirs }: Versions<Rows>): {
  value: unknown[];
  conflicts: ItemConflict[];
} {
  const baseKeys = base.map((_, index) => `base ${index}`);
  const { items, conflicts } = mergeKeyedItems(
    {
      base: new Map(base.map((row, index) => [baseKeys[index] ?? '', row])),
      mine: rowsByKey(base, mine),
      theirs: rowsByKey(base, theirs),
    },
    (row) => unresolved(row.mine, row.theirs),
  );
  const keys = [...items.keys()];
  return {
    value: [...items.values()],
    conflicts: conflicts.map((conflict) => ({
      ...conflict,
      path: conflict.path.map((key) => String(keys.indexOf(key))),
    })),
  };
}

/** Gives each row the key of the base row that it is, or one that equal new rows of the other side have, too. */
function rowsByKey(base: Rows, rows: Rows): Map<string, unknown> {
  const places = matchRows(base, rows);
  const newRows = new Map<string, number>();
  return new Map(
    rows.map((row, index) => {
      const place = places.get(index);
      if (place !== undefined) return [`base ${place}`, row];
      const text = canonicalJson(row);
      const count = newRows.get(text) ?? 0;
      newRows.set(text, count + 1);
      return [`new ${count} ${text}`, row];
    }),
  );
}

/** For the indices of rows, those of the base rows that they are. */
function matchRows(base: Rows, rows: Rows): Map<number, number> {
  const [before, after] = [base.map(canonicalJson), rows.map(canonicalJson)];
  const places = new Map(matchSequences(before, after).map(([old, index]) => [index, old]));
  const unmatched = new Set(base.keys());
  for (const old of places.values()) unmatched.delete(old);
  for (const [index, text] of after.entries()) {
    if (places.has(index)) continue;
    const old = [...unmatched].find((candidate) => before[candidate] === text);
    if (old === undefined) continue;
    places.set(index, old);
    unmatched.delete(old);
  }
  for (const { start, end, from, to } of diffSequences(before, after)) {
    const gap = {
      old: indices(start, end).filter((index) => unmatched.has(index)),
      new: indices(from, to).filter((index) => !places.has(index)),
    };
    for (const [old, index] of mostAlike(base, rows, gap)) places.set(index, old);
  }
  return places;
}

const indices = (start: number, end: number) =>
  Array.from({ length: end - start }, (_, index) => start + index);

/** Pairs of rows between two equal ones: by place if there are as many, else in order with the most likeness. */
function mostAlike(
  base: Rows,
  rows: Rows,
  gap: { old: readonly number[]; new: readonly number[] },
): [number, number][] {
  if (gap.old.length === gap.new.length)
    return gap.old.map((old, place): [number, number] => [old, gap.new[place] ?? 0]);
  const width = gap.new.length + 1;
  const best = new Float64Array((gap.old.length + 1) * width);
  const at = (i: number, j: number) => best[i * width + j] ?? 0;
  const alike = (i: number, j: number) => likeness(base[gap.old[i] ?? 0], rows[gap.new[j] ?? 0]);
  for (let i = gap.old.length - 1; i >= 0; i -= 1)
    for (let j = gap.new.length - 1; j >= 0; j -= 1)
      best[i * width + j] = Math.max(at(i + 1, j), at(i, j + 1), at(i + 1, j + 1) + alike(i, j));
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < gap.old.length && j < gap.new.length;) {
    if (at(i, j) === at(i + 1, j)) i += 1;
    else if (at(i, j) === at(i, j + 1)) j += 1;
    else pairs.push([gap.old[i++] ?? 0, gap.new[j++] ?? 0]);
  }
  return pairs;
}

/** The share of equal properties and common words of two rows: 0 to 1. */
function likeness(a: unknown, b: unknown): number {
  if (!isRecord(a) || !isRecord(b)) return shareOfWords(a, b);
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const shares = names.map((name) => shareOfWords(a[name], b[name]));
  return names.length === 0 ? 1 : shares.reduce((sum, share) => sum + share, 0) / names.length;
}

function shareOfWords(a: unknown, b: unknown): number {
  const [own, other] = [a, b].map((value) => new Set(canonicalJson(value).match(/[\p{L}\p{N}]+/gu)));
  if (!own || !other || own.size + other.size === 0) return canonicalJson(a) === canonicalJson(b) ? 1 : 0;
  return (2 * [...own].filter((word) => other.has(word)).length) / (own.size + other.size);
}
