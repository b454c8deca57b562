import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRedisCluster, testStores, type RedisCluster } from '@quire/testing';
import { rateLimiterConformance } from '../conformance/rate-limiter.conformance.js';
import { createRedisLimiter } from './redis-limiter.js';

const logger = { warn: () => undefined, info: () => undefined };
const namespace = `limit_tests_${process.pid}`;

rateLimiterConformance('Redis', () =>
  createRedisLimiter({ redisUrl: testStores().redisUrl, namespace, logger }),
);

describe('on a cluster', () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster.stop());

  rateLimiterConformance('Redis Cluster', () =>
    createRedisLimiter({ redisUrl: cluster.url, namespace, logger }),
  );
});

describe.each(['redis://127.0.0.1:1', 'redis+cluster://127.0.0.1:1'])(
  'rate limiter on %s, which is down',
  (redisUrl) => {
    it('counts in the process instead of failing', async () => {
      const limiter = await createRedisLimiter({ redisUrl, namespace, logger });
      const limit = { name: 'insured', limit: 2, windowSeconds: 60 };
      const decisions = [];
      for (let use = 0; use < 3; use += 1) decisions.push(await limiter.consume(limit, 'client'));
      await limiter.close();
      expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, false]);
    });
  },
);
