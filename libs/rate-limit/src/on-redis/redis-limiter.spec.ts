import { describe, expect, it } from '@jest/globals';
import { testStores } from '@quire/testing';
import { rateLimiterConformance } from '../conformance/rate-limiter.conformance.js';
import { redisLimiter } from './redis-limiter.js';

rateLimiterConformance('Redis', () => redisLimiter(testStores().redisUrl, 'limit_tests'));

describe('the rate limiter while Redis is down', () => {
  it('counts in the process instead of failing', async () => {
    const limiter = redisLimiter('redis://127.0.0.1:1', 'down');
    const limit = { name: 'insured', limit: 2, windowSeconds: 60 };
    const decisions = [];
    for (let use = 0; use < 3; use += 1) decisions.push(await limiter.consume(limit, 'client'));
    await limiter.close();
    expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, false]);
  });
});
