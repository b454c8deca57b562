import { Queue, Worker } from 'bullmq';
import { createRedis } from '@quire/redis';
import { createBullMqBackend } from '../bullmq-backend.js';
import { throttledErrorLog } from '../throttled-error-log.js';
import type { QueueBackend, QueueLogger } from '../queue-backend.js';

const connectTimeoutMs = 1_500;
const maxReconnectMs = 1_000;
/** A command that waits for a connection fails at the second attempt: attempts follow each other closely. */
const maxAddingReconnectMs = 400;
/** For a Redis that accepts commands and does not respond. A busy one may need a while for the largest batch. */
const addingTimeoutMs = 2_000;

/**
 * BullMQ in a Redis, under the prefix `namespace`. In a cluster the prefix of a queue is a hash tag: the scripts of
 * BullMQ need all keys of a queue on one node, and different queues may be on different ones.
 */
export function openRedisBackend(options: {
  redisUrl: string;
  namespace: string;
  logger: QueueLogger;
}): QueueBackend {
  const { redisUrl, namespace, logger } = options;
  // Adding has to fail fast when Redis is down (the message then waits in the outbox); workers wait for Redis.
  const adding = createRedis(redisUrl, {
    whenDown: 'fail',
    connectTimeoutMs,
    maxReconnectMs: maxAddingReconnectMs,
    commandTimeoutMs: addingTimeoutMs,
  });
  const working = createRedis(redisUrl, { whenDown: 'wait', connectTimeoutMs, maxReconnectMs });
  const prefixOf = (queue: string) => (adding.isCluster ? `{${namespace}:${queue}}` : namespace);
  const logError = throttledErrorLog(logger, 'Redis');
  adding.on('error', logError);
  working.on('error', logError);
  return createBullMqBackend({
    kind: 'redis',
    namespace,
    logger,
    openQueue: (name) =>
      new Queue(name, { connection: adding, prefix: prefixOf(name), skipWaitingForReady: true }),
    openWorker: (name, workerOptions, run) =>
      new Worker(name, run, { connection: working, prefix: prefixOf(name), ...workerOptions }),
    relay: { connection: working, backend: undefined },
    async ping() {
      // Each node of a cluster responds to PING, also when the cluster is down.
      await adding.exists(`${namespace}:ping`);
    },
    async close() {
      adding.disconnectAll();
      working.disconnectAll();
    },
  });
}
