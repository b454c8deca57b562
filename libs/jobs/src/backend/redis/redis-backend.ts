import { Queue, Worker } from 'bullmq';
import type { RedisOptions } from 'ioredis';
import { redisOptions } from '@quire/redis';
import { createBullMqBackend } from '../bullmq-backend.js';
import { throttledErrorLog } from '../throttled-error-log.js';
import type { QueueBackend, QueueLogger } from '../queue-backend.js';
import { ClosableRedis } from './closable-redis.js';

const connectTimeoutMs = 1_500;
const maxReconnectMs = 1_000;
/** A command that waits for a connection fails at the second attempt: attempts follow each other closely. */
const maxAddingReconnectMs = 400;
/** For a Redis that accepts commands and does not respond. A busy one may need a while for the largest batch. */
const addingTimeoutMs = 2_000;

const reconnect = (maxMs: number): RedisOptions => ({
  connectTimeout: connectTimeoutMs,
  retryStrategy: (times) => Math.min(times * 100, maxMs),
});

/** BullMQ in a Redis, under the prefix `namespace`. */
export function openRedisBackend(options: {
  redisUrl: string;
  namespace: string;
  logger: QueueLogger;
}): QueueBackend {
  const { redisUrl, namespace, logger } = options;
  // Adding has to fail fast when Redis is down (the message then waits in the outbox); workers wait for Redis.
  const address = redisOptions(redisUrl);
  const adding = new ClosableRedis({
    ...address,
    ...reconnect(maxAddingReconnectMs),
    maxRetriesPerRequest: 1,
    commandTimeout: addingTimeoutMs,
  });
  const working = new ClosableRedis({
    ...address,
    ...reconnect(maxReconnectMs),
    maxRetriesPerRequest: null,
  });
  const logError = throttledErrorLog(logger, 'Redis');
  adding.on('error', logError);
  working.on('error', logError);
  return createBullMqBackend({
    kind: 'redis',
    namespace,
    logger,
    openQueue: (name) =>
      new Queue(name, { connection: adding, prefix: namespace, skipWaitingForReady: true }),
    openWorker: (name, workerOptions, run) =>
      new Worker(name, run, { connection: working, prefix: namespace, ...workerOptions }),
    relay: { connection: working, backend: undefined },
    async ping() {
      await adding.ping();
    },
    async close() {
      adding.disconnectAll();
      working.disconnectAll();
    },
  });
}
