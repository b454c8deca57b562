import type { Queue } from 'bullmq';
import { toBullMqJob } from './bullmq-jobs.js';
import { bullMqQueueAdmin } from './bullmq-queue-admin.js';
import type { JobQueue, QueueAdmin } from './queue-backend.js';

/**
 * The queues that this process adds to, each opened at its first use. BullMQ caches the failure of a queue's first
 * connection, so such a queue is discarded and the next use opens another: after an outage at the start adding works
 * again, as after any other outage.
 */
export function createQueueCache(
  openQueue: (name: string) => Queue,
  logError: (error: unknown) => void,
): {
  queue(name: string): JobQueue;
  admin(name: string, namespace: string): QueueAdmin;
  raw(name: string): Queue;
  close(): Promise<void>;
} {
  const open = new Map<string, Queue>();

  function current(name: string): Queue {
    const known = open.get(name);
    if (known) return known;
    const queue = openQueue(name);
    queue.on('error', logError);
    open.set(name, queue);
    queue.waitUntilReady().catch((error: unknown) => {
      logError(error);
      if (open.get(name) === queue) open.delete(name);
      queue.close().catch(() => undefined);
    });
    return queue;
  }

  return {
    queue: (name) => ({
      async addAll(jobs) {
        const added = jobs.map(toBullMqJob);
        const [first, ...others] = added;
        // On PostgreSQL adding in bulk creates temporary tables, which takes several times as long.
        if (first && others.length === 0) await current(name).add(first.name, first.data, first.opts);
        else await current(name).addBulk(added);
      },
      counts: () => current(name).getJobCounts('waiting', 'active', 'delayed', 'failed'),
      async waiting() {
        const { 0: count = 0 } = await current(name).getCountsPerPriority([0]);
        return count;
      },
    }),
    admin: (name, namespace) => bullMqQueueAdmin(current(name), namespace),
    raw: current,
    async close() {
      await Promise.all([...open.values()].map((queue) => queue.close()));
    },
  };
}
