import { setTimeout as wait } from 'node:timers/promises';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { createRedis, type RedisClient } from '@quire/redis';
import { createLimiter, type RateLimiter, type RateLimitLogger } from '../port/rate-limiter.js';

const connectTimeoutMs = 1_500;
const maxReconnectMs = 2_000;
/** The first uses should not count as an outage while the connection is being opened. */
const maxWaitMs = 1_500;

export interface RedisLimiterOptions {
  redisUrl: string;
  /** Prefix of the keys. */
  namespace: string;
  logger: RateLimitLogger;
}

/**
 * Counts in Redis, where a count expires with its window. A Redis that is down at the start is treated as an outage.
 */
export async function createRedisLimiter({
  redisUrl,
  namespace,
  logger,
}: RedisLimiterOptions): Promise<RateLimiter> {
  const client = createRedis(redisUrl, { whenDown: 'fail', connectTimeoutMs, maxReconnectMs });
  // The client reconnects automatically; the uses that fail until then are logged.
  client.on('error', () => undefined);
  await connected(client);
  return createLimiter(
    {
      open: ({ limit, windowSeconds }, keyPrefix) =>
        new RateLimiterRedis({
          storeClient: client,
          keyPrefix: `${namespace}:limit:${keyPrefix}`,
          points: limit,
          duration: windowSeconds,
          rejectIfRedisNotReady: true,
        }),
      async close() {
        // A clean close avoids the client's timer for a socket that does not close.
        if (client.status === 'ready') await client.quit().catch(() => client.disconnect());
        else client.disconnect();
      },
    },
    logger,
  );
}

async function connected(client: RedisClient): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const ready = new Promise<void>((done) => client.once('ready', () => done()));
  const tooLong = wait(maxWaitMs, undefined, { signal }).catch(() => undefined);
  await Promise.race([ready, tooLong]);
  waiting.abort();
}
