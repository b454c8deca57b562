import { postgresLimiter } from './on-postgres/postgres-limiter.js';
import { redisLimiter } from './on-redis/redis-limiter.js';
import type { RateLimiter } from './port/rate-limiter.js';

/** Opens the limiter of this installation: Redis where one is configured, else the database. */
export async function connectRateLimiter(options: {
  redisUrl: string | undefined;
  databaseUrl: string;
  namespace: string;
}): Promise<RateLimiter> {
  return options.redisUrl === undefined
    ? postgresLimiter(options.databaseUrl)
    : redisLimiter(options.redisUrl, options.namespace);
}
