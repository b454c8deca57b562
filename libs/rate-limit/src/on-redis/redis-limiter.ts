import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { flexibleLimiter, type RateLimiter } from '../port/rate-limiter.js';

const connectTimeoutMs = 1_500;
const longestReconnectMs = 2_000;

/** Counts in Redis, under keys that begin with `namespace`. */
export function redisLimiter(redisUrl: string, namespace: string): RateLimiter {
  const client = new Redis(redisUrl, {
    connectTimeout: connectTimeoutMs,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    retryStrategy: (times) => Math.min(times * 100, longestReconnectMs),
  });
  // Reconnecting is the client's business; meanwhile the insurance counts.
  client.on('error', () => undefined);
  return flexibleLimiter(
    ({ name, limit, windowSeconds }, insuranceLimiter) =>
      new RateLimiterRedis({
        storeClient: client,
        keyPrefix: `${namespace}:limit:${name}`,
        points: limit,
        duration: windowSeconds,
        insuranceLimiter,
        rejectIfRedisNotReady: true,
      }),
    async () => client.disconnect(),
  );
}
