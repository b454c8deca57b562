import { Queue, Worker } from 'bullmq';
import type { RedisOptions } from 'ioredis';
import { bullBackend } from '../port/bullmq-backend.js';
import { outageLog } from '../port/outage-log.js';
import type { QueueBackend, QueueLogger } from '../port/queue-backend.js';
import { StoppableRedis } from './stoppable-redis.js';

const connectTimeoutMs = 1_500;
const longestReconnectMs = 1_000;
/** A command that waits for a connection is refused at the second attempt: attempts follow each other closely. */
const longestAddingReconnectMs = 400;
/** For a Redis that takes commands and does not answer. A busy one may need a while for the biggest batch. */
const addingTimeoutMs = 2_000;

const reconnect = (longestMs: number): RedisOptions => ({
  connectTimeout: connectTimeoutMs,
  retryStrategy: (times) => Math.min(times * 100, longestMs),
});

/** BullMQ in a Redis, under the prefix `namespace`. */
export function redisBackend(options: {
  redisUrl: string;
  namespace: string;
  logger: QueueLogger;
}): QueueBackend {
  const { redisUrl, namespace, logger } = options;
  // Who adds must learn at once that Redis is gone (the message then waits in the outbox); who works waits for it.
  const adding = new StoppableRedis(redisUrl, {
    ...reconnect(longestAddingReconnectMs),
    maxRetriesPerRequest: 1,
    commandTimeout: addingTimeoutMs,
  });
  const working = new StoppableRedis(redisUrl, {
    ...reconnect(longestReconnectMs),
    maxRetriesPerRequest: null,
  });
  const complain = outageLog(logger, 'Redis');
  adding.on('error', complain);
  working.on('error', complain);
  return bullBackend({
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
