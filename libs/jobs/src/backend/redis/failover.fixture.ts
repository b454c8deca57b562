import type { QueueBackend } from '../queue-backend.js';
import { freshName, job, oneWorker, stopWithinSeconds } from '../conformance/cases.js';
import { openRedisBackend } from './redis-backend.js';

/** Time in which the servers of a test agree on a new primary, on a busy machine. */
export const withinMs = 60_000;
export const namespace = 'failover';

const logger = { warn: () => undefined, info: () => undefined, error: () => undefined };

export interface QueueOnRedis {
  backend: QueueBackend;
  name: string;
  /** Adds a job. @returns whether Redis accepted it */
  add(id: string): Promise<boolean>;
  /** Ids of the jobs that the worker of the queue has run, in their order. */
  seen: string[];
}

/** Opens a backend with a worker of one queue. @param closers gets the functions that close them */
export async function openQueue(
  redisUrl: string,
  closers: (() => unknown)[],
  name = freshName(),
): Promise<QueueOnRedis> {
  const backend = openRedisBackend({ redisUrl, namespace, logger });
  closers.push(() => backend.close());
  const seen: string[] = [];
  const worker = await backend.worker(name, oneWorker, async ({ id }) => seen.push(id));
  closers.push(() => worker.stop(stopWithinSeconds));
  const add = (id: string) =>
    backend
      .queue(name)
      .addAll([job(id)])
      .then(
        () => true,
        () => false,
      );
  return { backend, name, add, seen };
}
