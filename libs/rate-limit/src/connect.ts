import type { PoolerMode } from '@quire/database';
import { createPostgresLimiter } from './postgres/postgres-limiter.js';
import { createRedisLimiter } from './redis/redis-limiter.js';
import type { RateLimiter, RateLimitLogger } from './port/rate-limiter.js';

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
