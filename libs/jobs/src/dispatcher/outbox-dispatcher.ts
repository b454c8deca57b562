import type { TransactionalDatabase } from '@quire/database';
import type { QueueBackend, QueueLogger } from '../backend/index.js';
import type { JobDeclaration } from '../declare/declare-job.js';
import { jobs as declaredJobs } from '../declare/jobs.js';
import type { PausedSites } from '../pause/paused-sites.js';
import { countMessages, countMessagesByJob, type OutboxCounts } from '../outbox/outbox.js';
import { OutboxPoller } from './outbox-poller.js';
import { QueueWindow } from './queue-window.js';

export interface DispatcherOptions {
  /** The shared schema of each database of the service. */
  databases: readonly TransactionalDatabase[];
  backend: QueueBackend;
  logger: QueueLogger;
  /** The messages of these sites stay in the outbox. */
  pausedSites: PausedSites;
  /** The jobs of the messages. */
  jobs?: readonly JobDeclaration[];
  /** Called with the number of messages that have become jobs. */
  onDispatched?: (messages: number) => void;
}

/**
 * Moves messages from the outbox to the queues, at least once: a message is deleted after its job was added. The job
 * has the message's id, so adding it again changes nothing while the queue has the job. Any number of dispatchers may
 * run (design 4). Sites take turns, and a queue holds about a second of work: further messages wait in the outbox.
 */
export class OutboxDispatcher {
  private readonly pollers: readonly OutboxPoller[];
  private readonly jobs: ReadonlyMap<string, JobDeclaration>;

  constructor(private readonly options: DispatcherOptions) {
    const { databases, backend, logger, pausedSites, onDispatched } = options;
    const jobs = new Map((options.jobs ?? declaredJobs).map((job) => [job.name, job]));
    this.jobs = jobs;
    const windows = new Map<string, QueueWindow>();
    const windowOf = (queue: string) => {
      const window = windows.get(queue) ?? new QueueWindow(backend.queue(queue));
      windows.set(queue, window);
      return window;
    };
    this.pollers = databases.map(
      (database) =>
        new OutboxPoller({ database, backend, logger, jobs, windowOf, pausedSites, onDispatched }),
    );
  }

  start(): void {
    for (const poller of this.pollers) poller.start();
  }

  /** Dispatches now instead of at the next poll, after a commit. Concurrent calls share one run. */
  wake(): void {
    for (const poller of this.pollers) poller.wake();
  }

  /** Stops after the running batches. */
  async stop(): Promise<void> {
    await Promise.all(this.pollers.map((poller) => poller.stop()));
  }

  /**
   * The pending messages of all databases by queue, of every queue. Those of unknown jobs have an empty name. The age
   * is without the messages of paused sites.
   */
  async countsByQueue(): Promise<({ queue: string } & Omit<OutboxCounts, 'failed'>)[]> {
    const paused = this.options.pausedSites.groupsOf(this.jobs.values());
    const { databases } = this.options;
    const counts = (await Promise.all(databases.map((sql) => countMessagesByJob(sql, paused)))).flat();
    return ['', ...new Set([...this.jobs.values()].map(({ queue }) => queue))].map((queue) => {
      const ofQueue = counts.filter(({ job }) => (this.jobs.get(job)?.queue ?? '') === queue);
      return {
        queue,
        pending: ofQueue.reduce((sum, { count }) => sum + count, 0),
        oldestSeconds: Math.max(0, ...ofQueue.map(({ oldestSeconds }) => oldestSeconds)),
      };
    });
  }

  /** The messages in all databases. */
  async counts(): Promise<OutboxCounts> {
    const counts = await Promise.all(this.options.databases.map(countMessages));
    return {
      pending: counts.reduce((sum, { pending }) => sum + pending, 0),
      failed: counts.reduce((sum, { failed }) => sum + failed, 0),
      oldestSeconds: Math.max(0, ...counts.map(({ oldestSeconds }) => oldestSeconds)),
    };
  }
}
