import type { Queue } from 'bullmq';
import { toBullMqJob } from './bullmq-jobs.js';
import type { JobQueue } from './queue-backend.js';

/**
 * The queues that this process adds to, each opened at its first use. BullMQ remembers for good that a queue's first
 * connection failed, so such a queue is thrown away and the next use opens another: an outage at the start ends by
 * itself like any other.
 */
export function createQueueCache(
  openQueue: (name: string) => Queue,
  logError: (error: unknown) => void,
): { queue(name: string): JobQueue; close(): Promise<void> } {
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
        await current(name).addBulk(jobs.map(toBullMqJob));
      },
      counts: () => current(name).getJobCounts('waiting', 'active', 'delayed', 'failed'),
    }),
    async close() {
      await Promise.all([...open.values()].map((queue) => queue.close()));
    },
  };
}
