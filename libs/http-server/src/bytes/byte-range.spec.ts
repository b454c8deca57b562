import { describe, expect, it } from '@jest/globals';
import { parseByteRange } from './byte-range.js';

describe('a range of ten bytes (RFC 9110, 14.2)', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=2-5', { start: 2, end: 5 }],
    ['bytes=9-', { start: 9, end: 9 }],
    ['bytes=5-100', { start: 5, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-100', { start: 0, end: 9 }],
    ['BYTES=1-2', { start: 1, end: 2 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=99999999999999999999-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-2', undefined],
    ['bytes=-', undefined],
    ['bytes=0-1,3-4', undefined],
    ['lines=0-1', undefined],
    ['bytes=a-b', undefined],
    [undefined, undefined],
  ])('%s is %j', (header, range) => {
    expect(parseByteRange(header, 10)).toEqual(range);
  });

  it('of nothing is never satisfied', () => {
    expect(['bytes=0-', 'bytes=-1'].map((header) => parseByteRange(header, 0))).toEqual([
      'unsatisfiable',
      'unsatisfiable',
    ]);
  });
});
