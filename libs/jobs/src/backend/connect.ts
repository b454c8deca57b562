import { openPostgresBackend } from './postgres/postgres-backend.js';
import { openRedisBackend } from './redis/redis-backend.js';
import type { QueueBackend, QueueLogger } from './queue-backend.js';

export interface QueueBackendOptions {
  /** Redis, where one is configured; else the database does it. */
  redisUrl: string | undefined;
  databaseUrl: string;
  /** Keeps installations (and test runs) that share a store apart: lower-case letters, digits and `_`. */
  namespace: string;
  logger: QueueLogger;
}

/** Opens the queue backend of this installation. Connections are made when they are first needed. */
export function connectQueueBackend({
  redisUrl,
  databaseUrl,
  namespace,
  logger,
}: QueueBackendOptions): QueueBackend {
  return redisUrl === undefined
    ? openPostgresBackend({ databaseUrl, namespace, logger })
    : openRedisBackend({ redisUrl, namespace, logger });
}
