import type { PoolerMode } from '@quire/database';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { createPostgresLimiter } from './postgres/postgres-limiter.js';
import { createRedisLimiter } from './redis/redis-limiter.js';
import { createLimiter, type RateLimiter, type RateLimitLogger } from './port/rate-limiter.js';

export interface RateLimiterOptions {
  /** Address of Redis, if configured; else the database is the store. */
  redisUrl: string | undefined;
  databaseUrl: string;
  pooler?: PoolerMode | undefined;
  /** Separates installations that share a Redis. */
  namespace: string;
  logger: RateLimitLogger;
}

/** Opens the limiter of this installation. @throws when the store is the database and it does not respond */
export async function connectRateLimiter(options: RateLimiterOptions): Promise<RateLimiter> {
  const { redisUrl, databaseUrl, pooler, namespace, logger } = options;
  return redisUrl === undefined
    ? createPostgresLimiter({ databaseUrl, pooler, logger })
    : createRedisLimiter({ redisUrl, namespace, logger });
}

/** Creates a limiter that counts in this process only, for uses that are too many for a statement each. */
export function createProcessLimiter(logger: RateLimitLogger): RateLimiter {
  return createLimiter(
    {
      open: ({ limit, windowSeconds }, keyPrefix) =>
        new RateLimiterMemory({ keyPrefix, points: limit, duration: windowSeconds }),
      close: () => Promise.resolve(),
    },
    logger,
  );
}
