import { describe, expect, it } from '@jest/globals';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { createLimiter } from '../port/rate-limiter.js';
import { consumeAsClient, type LimitedClient } from './client-limit.js';

const limit = { name: 'case', limit: 2, windowSeconds: 60, ceiling: 12 };

function limiterInMemory() {
  const store = {
    open: ({ limit: points, windowSeconds: duration }: typeof limit, keyPrefix: string) =>
      new RateLimiterMemory({ points, duration, keyPrefix }),
    close: () => Promise.resolve(),
  };
  const limiter = createLimiter(store as never, { warn: () => undefined, info: () => undefined });
  /** The number of allowed uses. */
  return async (times: number, client: Partial<LimitedClient>) => {
    let allowed = 0;
    for (let use = 0; use < times; use += 1) {
      const who = { tenantId: 'a', address: null, userId: null, ...client };
      if ((await consumeAsClient(limiter, limit, who)).allowed) allowed += 1;
    }
    return allowed;
  };
}

describe('consumeAsClient for a known address', () => {
  it('counts each IPv4 address separately', async () => {
    const use = limiterInMemory();
    expect(await use(3, { address: '203.0.113.7' })).toBe(2);
    expect(await use(3, { address: '203.0.113.8' })).toBe(2);
    expect(await use(1, { address: '203.0.113.7', tenantId: 'b' })).toBe(1);
  });

  it('counts IPv6 by /64, and all networks of a /48 together with sixteen times as much', async () => {
    const use = limiterInMemory();
    expect(await use(3, { address: '2001:db8:1:1::1' })).toBe(2);
    let allowed = 2;
    for (let network = 2; network <= 40; network += 1)
      allowed += await use(2, { address: `2001:db8:1:${network.toString(16)}::1` });
    expect(allowed).toBe(32);
    expect(await use(2, { address: '2001:db8:2::1' })).toBe(2);
  });

  it('uses nothing of the /48 for a client over its own limit', async () => {
    const use = limiterInMemory();
    await use(100, { address: '2001:db8:1:1::1' });
    expect(await use(2, { address: '2001:db8:1:2::1' })).toBe(2);
  });
});

describe('consumeAsClient for clients without an address', () => {
  it('limits anonymous clients to three quarters of the ceiling and reserves the rest for users', async () => {
    const use = limiterInMemory();
    expect(await use(100, {})).toBe(9);
    expect(await use(3, { userId: 'ann' })).toBe(2);
    expect(await use(3, { userId: 'ben' })).toBe(1);
    expect(await use(1, { userId: 'cem' })).toBe(0);
  });

  it('lets users use the shared part after their own', async () => {
    const use = limiterInMemory();
    for (const userId of ['ann', 'ben', 'cem']) expect(await use(3, { userId })).toBe(2);
    expect(await use(100, {})).toBe(6);
  });
});
