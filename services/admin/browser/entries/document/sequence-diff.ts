/** A change of a sequence: the items of `start` to `end` of the old one are those of `from` to `to` of the new one. */
export interface Hunk {
  start: number;
  end: number;
  from: number;
  to: number;
}

/** Comparisons for one difference; larger middle parts count as replaced as a whole. */
const maxComparisons = 4_000_000;

/**
 * Compares two sequences by their longest common subsequence.
 * @returns the changes, in order; between two of them is at least one unchanged item
 */
export function diffSequences(before: readonly string[], after: readonly string[]): Hunk[] {
  const matches = matchSequences(before, after);
  const hunks: Hunk[] = [];
  let start = 0;
  let from = 0;
  for (const [oldIndex, newIndex] of [...matches, [before.length, after.length] as const]) {
    if (oldIndex > start || newIndex > from) hunks.push({ start, end: oldIndex, from, to: newIndex });
    start = oldIndex + 1;
    from = newIndex + 1;
  }
  return hunks;
}

/** Pairs of indices of the items that two sequences share, in order. */
export function matchSequences(before: readonly string[], after: readonly string[]): [number, number][] {
  let prefix = 0;
  while (prefix < before.length && prefix < after.length && before[prefix] === after[prefix]) prefix += 1;
  let oldEnd = before.length;
  let newEnd = after.length;
  while (oldEnd > prefix && newEnd > prefix && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  const middle = commonSubsequence(before.slice(prefix, oldEnd), after.slice(prefix, newEnd));
  return [
    ...range(prefix).map((index): [number, number] => [index, index]),
    ...middle.map(([a, b]): [number, number] => [a + prefix, b + prefix]),
    ...range(before.length - oldEnd).map((index): [number, number] => [oldEnd + index, newEnd + index]),
  ];
}

const range = (length: number) => Array.from({ length }, (_, index) => index);

/** The longest common subsequence, by a table of the lengths of those of all ends. */
function commonSubsequence(a: readonly string[], b: readonly string[]): [number, number][] {
  if (a.length === 0 || b.length === 0 || a.length * b.length > maxComparisons) return [];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}

/** Indices of the longest increasing subsequence of different numbers: all others have been moved. */
export function increasingSubsequence(numbers: readonly number[]): Set<number> {
  /** For each length, the index of the smallest end of a subsequence of that length. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [index, number] of numbers.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? undefined : ends[low - 1];
    ends[low] = index;
  }
  const kept = new Set<number>();
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) kept.add(index);
  return kept;
}
