import type { PoolerMode } from '@quire/database';
import { openPostgresBackend } from './postgres/postgres-backend.js';
import { openRedisBackend } from './redis/redis-backend.js';
import type { QueueBackend, QueueLogger } from './queue-backend.js';

export interface QueueBackendOptions {
  /** Address of Redis, if configured; else the database is the store. */
  redisUrl: string | undefined;
  databaseUrl: string;
  pooler?: PoolerMode | undefined;
  /** Time to wait for a connection of the database. Default: 1.5 s. */
  connectTimeoutMs?: number | undefined;
  /** Separates installations (and test runs) that share a store: lower-case letters, digits and `_`. */
  namespace: string;
  logger: QueueLogger;
}

/** Opens the queue backend of this installation. It connects at the first use. */
export function connectQueueBackend({
  redisUrl,
  databaseUrl,
  pooler,
  connectTimeoutMs,
  namespace,
  logger,
}: QueueBackendOptions): QueueBackend {
  return redisUrl === undefined
    ? openPostgresBackend({ databaseUrl, pooler, connectTimeoutMs, namespace, logger })
    : openRedisBackend({ redisUrl, namespace, logger });
}
