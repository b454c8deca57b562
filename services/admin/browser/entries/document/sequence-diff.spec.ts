import { describe, expect, it } from '@jest/globals';
import { diffSequences, increasingSubsequence, matchSequences } from './sequence-diff.js';

const letters = (text: string) => [...text];

describe('matchSequences', () => {
  it('pairs the longest common subsequence', () => {
    expect(matchSequences(letters('abcd'), letters('xbyd'))).toEqual([
      [1, 1],
      [3, 3],
    ]);
    expect(matchSequences([], letters('a'))).toEqual([]);
  });
});

describe('diffSequences', () => {
  it('returns the changes between the pairs', () => {
    expect(diffSequences(letters('abcd'), letters('axcde'))).toEqual([
      { start: 1, end: 2, from: 1, to: 2 },
      { start: 4, end: 4, from: 4, to: 5 },
    ]);
    expect(diffSequences(letters('abc'), letters('abc'))).toEqual([]);
  });

  it('replaces long parts that differ as a whole', () => {
    const [before, after] = ['a', 'b'].map((prefix) =>
      Array.from({ length: 3_000 }, (_, i) => `${prefix}${i}`),
    );
    expect(diffSequences(before ?? [], after ?? [])).toEqual([{ start: 0, end: 3_000, from: 0, to: 3_000 }]);
  });
});

describe('increasingSubsequence', () => {
  it('returns the indices that stay in order', () => {
    expect([...increasingSubsequence([2, 0, 1, 3])].sort()).toEqual([1, 2, 3]);
    expect(increasingSubsequence([]).size).toBe(0);
  });
});
