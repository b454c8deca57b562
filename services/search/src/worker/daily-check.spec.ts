import { describe, expect, it } from '@jest/globals';
import { secondsUntilDailyCheck } from './daily-check.js';

const secondsPerDay = 86_400;
const now = new Date('2026-03-01T12:00:00.500Z');

describe('secondsUntilDailyCheck', () => {
  it('is the same time of each day', () => {
    const collection = { tenantId: 'acme', collectionId: 'c1' };
    const seconds = secondsUntilDailyCheck(collection, now);
    const then = new Date(now.getTime() + seconds * 1000);
    expect(secondsUntilDailyCheck(collection, then)).toBeCloseTo(secondsPerDay, 1);
    expect(secondsUntilDailyCheck(collection, new Date(now.getTime() + 1000))).toBeCloseTo(seconds - 1, 3);
  });

  it('spreads collections evenly over the day', () => {
    const hours = new Map<number, number>();
    for (let site = 0; site < 1_000; site += 1)
      for (const collectionId of ['c1', 'c2', 'c3']) {
        const seconds = secondsUntilDailyCheck({ tenantId: `site-${site}`, collectionId }, now);
        expect(seconds).toBeGreaterThan(0);
        expect(seconds).toBeLessThanOrEqual(secondsPerDay);
        const hour = Math.ceil(seconds / 3600);
        hours.set(hour, (hours.get(hour) ?? 0) + 1);
      }
    // 125 in each hour on average.
    expect(hours.size).toBe(24);
    expect(Math.max(...hours.values())).toBeLessThan(180);
  });
});
