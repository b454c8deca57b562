import { createPostgresLimiter } from './postgres/postgres-limiter.js';
import { createRedisLimiter } from './redis/redis-limiter.js';
import type { RateLimiter, RateLimitLogger } from './port/rate-limiter.js';

export interface RateLimiterOptions {
  /** Redis, where one is configured; else the database does it. */
  redisUrl: string | undefined;
  databaseUrl: string;
  /** Keeps installations that share a Redis apart. */
  namespace: string;
  logger: RateLimitLogger;
}

/** Opens the limiter of this installation. @throws when it counts in the database and that does not answer now. */
export async function connectRateLimiter(options: RateLimiterOptions): Promise<RateLimiter> {
  const { redisUrl, databaseUrl, namespace, logger } = options;
  return redisUrl === undefined
    ? createPostgresLimiter({ databaseUrl, logger })
    : createRedisLimiter({ redisUrl, namespace, logger });
}
