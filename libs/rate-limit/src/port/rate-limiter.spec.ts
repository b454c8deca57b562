import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { RateLimiterMemory, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { createLimiter } from './rate-limiter.js';

/** A store in memory that fails, or does not respond, on demand. */
class TroubledStore {
  state: 'well' | 'down' | 'silent' = 'well';
  calls = 0;

  open(limit: { limit: number; windowSeconds: number }): RateLimiterAbstract {
    const real = new RateLimiterMemory({ points: limit.limit, duration: limit.windowSeconds });
    const consume = real.consume.bind(real);
    real.consume = (key) => {
      this.calls += 1;
      if (this.state === 'down') return Promise.reject(new Error('the store is down'));
      if (this.state === 'silent') return new Promise(() => undefined);
      return consume(key);
    };
    return real;
  }

  close = () => Promise.resolve();
}

function limiterOn(store: TroubledStore) {
  const lines: string[] = [];
  const log = (fields: object, text: string) => void lines.push(`${text} ${JSON.stringify(fields)}`);
  return { limiter: createLimiter(store, { warn: log, info: log }), lines };
}

const limit = { name: 'case', limit: 2, windowSeconds: 60 };

describe('rate limiter while its store is down', () => {
  it('counts in the process instead of failing', async () => {
    const store = new TroubledStore();
    store.state = 'down';
    const { limiter } = limiterOn(store);
    const decisions = [];
    for (let use = 0; use < 3; use += 1) decisions.push(await limiter.consume(limit, 'client'));
    expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, false]);
  });

  it('logs one line without the key, and does not call the store for a while', async () => {
    const store = new TroubledStore();
    store.state = 'down';
    const { limiter, lines } = limiterOn(store);
    for (let use = 0; use < 5; use += 1) await limiter.consume(limit, '203.0.113.7');
    expect(store.calls).toBe(1);
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('203.0.113.7');
  });

  it('counts in the store again after its recovery, and logs it', async () => {
    const store = new TroubledStore();
    store.state = 'down';
    const { limiter, lines } = limiterOn(store);
    await limiter.consume(limit, 'client');
    store.state = 'well';
    await wait(2_100);
    await limiter.consume(limit, 'client');
    expect(store.calls).toBe(2);
    expect(lines[1]).toContain('recovered');
  });

  it('does not wait long for a store that does not respond', async () => {
    const store = new TroubledStore();
    store.state = 'silent';
    const { limiter } = limiterOn(store);
    const startedAt = Date.now();
    expect((await limiter.consume(limit, 'client')).allowed).toBe(true);
    expect((await limiter.consume(limit, 'client')).allowed).toBe(true);
    expect(Date.now() - startedAt).toBeLessThan(2_500);
  });
});

describe('limit with changed numbers', () => {
  it('is counted separately under the same name', async () => {
    const { limiter } = limiterOn(new TroubledStore());
    await limiter.consume({ ...limit, limit: 1 }, 'client');
    expect((await limiter.consume({ ...limit, limit: 1 }, 'client')).allowed).toBe(false);
    const wider = { ...limit, limit: 5 };
    expect((await limiter.consume(wider, 'client')).allowed).toBe(true);
  });
});
