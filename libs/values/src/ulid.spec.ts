import { describe, expect, it } from '@jest/globals';
import { decodeTime, isValid } from 'ulid';
import { ulid } from './ulid.js';

describe('ulid', () => {
  it('returns valid ids of the present time', () => {
    const before = Date.now();
    const id = ulid();
    expect(isValid(id)).toBe(true);
    expect(decodeTime(id)).toBeGreaterThanOrEqual(before);
    expect(decodeTime(id)).toBeLessThanOrEqual(Date.now());
  });

  it('returns other random characters each time, also after the fetched bytes are used up', () => {
    const ids = Array.from({ length: 2_000 }, () => ulid().slice(10));
    expect(new Set(ids).size).toBe(ids.length);
    // Each of the 32 characters has a share of 1000 in 32,000.
    const counts = new Map<string, number>();
    for (const character of ids.join('')) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(32);
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(250);
  });
});
