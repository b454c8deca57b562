import { describe, expect, it } from '@jest/globals';
import { mergeHits, newHit, topReferrer } from './not-found-hits.js';

const at = (second: number) => `2025-01-01T00:00:0${second}.000Z`;

describe('not-found hits of a path (contract 23)', () => {
  it('are merged: count, first and last time, and the last visitor', () => {
    const early = newHit({ referrer: '/a', userAgent: 'early', ip: '10.0.0.1' }, at(1));
    const late = newHit({ userAgent: 'late' }, at(2));
    const expected = {
      count: 2,
      firstAt: at(1),
      lastAt: at(2),
      referrer: null,
      userAgent: 'late',
      ip: null,
      referrers: new Map([['/a', 1]]),
    };
    expect(mergeHits(early, late)).toEqual(expected);
    expect(mergeHits(late, early)).toEqual(expected);
  });

  it('name the most frequent referrer, and keep a few', () => {
    const from = ['a', 'b', 'b', 'c', 'd', 'e', 'f', 'g', 'b'];
    const merged = from.map((referrer) => newHit({ referrer }, at(1))).reduce(mergeHits);
    expect(merged.referrers.size).toBe(5);
    expect(topReferrer(Object.fromEntries(merged.referrers))).toBe('b');
    expect(topReferrer({})).toBeNull();
  });

  it('keep 512 characters of a header, and no half of a surrogate pair', () => {
    const { referrer, userAgent } = newHit(
      { referrer: 'x'.repeat(600), userAgent: `${'x'.repeat(511)}👋` },
      at(1),
    );
    expect([referrer, userAgent]).toEqual(['x'.repeat(512), 'x'.repeat(511)]);
  });
});
