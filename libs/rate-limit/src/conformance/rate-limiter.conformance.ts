import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RateLimiter } from '../port/rate-limiter.js';

let count = 0;
/** A limit that no other case uses. */
const freshLimit = (limit: number, windowSeconds = 60) => ({
  name: `case-${process.pid}-${(count += 1)}`,
  limit,
  windowSeconds,
});

/** The requirements on every store of the rate limit port. */
export function rateLimiterConformance(store: string, open: () => Promise<RateLimiter>): void {
  describe(`the rate limiter on ${store}`, () => {
    let first: RateLimiter;
    let second: RateLimiter;
    beforeAll(async () => {
      first = await open();
      second = await open();
    });
    afterAll(() => Promise.all([first.close(), second.close()]));

    it('allows the maximum number of uses and rejects the next one with the time to wait', async () => {
      const limit = freshLimit(3);
      const decisions = [];
      for (let use = 0; use < 4; use += 1) decisions.push(await first.consume(limit, 'client'));
      expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, true, false]);
      expect(decisions[3]?.retryAfterSeconds).toBeGreaterThan(50);
      expect(decisions[3]?.retryAfterSeconds).toBeLessThanOrEqual(60);
    });

    it('counts each key and each limit separately', async () => {
      const limit = freshLimit(1);
      await first.consume(limit, 'one');
      expect((await first.consume(limit, 'two')).allowed).toBe(true);
      expect((await first.consume(freshLimit(1), 'one')).allowed).toBe(true);
    });

    it('counts exactly over processes for fifty concurrent uses', async () => {
      const limit = freshLimit(10);
      const all = await Promise.all(
        Array.from({ length: 50 }, (_, use) => (use % 2 === 0 ? first : second).consume(limit, 'crowd')),
      );
      expect(all.filter(({ allowed }) => allowed)).toHaveLength(10);
    });

    it('starts a new count after the window', async () => {
      const limit = freshLimit(1, 1);
      await first.consume(limit, 'client');
      expect((await first.consume(limit, 'client')).allowed).toBe(false);
      await wait(1_200);
      expect((await first.consume(limit, 'client')).allowed).toBe(true);
    });
  });
}
