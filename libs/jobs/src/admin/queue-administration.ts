import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import {
  deleteQueuePause,
  everyQueue,
  insertQueuePause,
  listQueuePauses,
  type QueuePause,
} from '@quire/tenancy';
import type { ListedJob, QueueAdmin, QueueBackend, QueueState } from '../backend/index.js';
import type { JobDeclaration } from '../declare/declare-job.js';
import { jobs as declaredJobs } from '../declare/jobs.js';
import { queuesOf, reasonOf, tenantOf } from './listed-jobs.js';
import type { OutboxAdministration, PendingMessages } from './outbox-administration.js';

export interface ObservedQueue extends QueueState {
  queue: string;
  /** Time for which the job that is next has waited; 0 without waiting jobs. */
  oldestSeconds: number;
}

export interface QueueSummary extends ObservedQueue {
  /** Messages that were not added to the queue yet, also those of paused sites. */
  outbox: PendingMessages;
  /** Sites whose jobs are paused. */
  pausedSites: string[];
}

export interface TopSites {
  /** Number of read jobs: the oldest of the waiting ones, and all messages of the outboxes. */
  sample: number;
  /** Number of waiting jobs, and of messages in the outboxes. */
  waiting: number;
  /**
   * Sites by their jobs in the sample, the largest number first, and the paused sites. A null is a job without a site.
   */
  sites: { tenant: string | null; jobs: number; isPaused: boolean }[];
}

export interface FailedJob {
  id: string;
  job: string;
  tenant: string | null;
  attempts: number;
  /** Time since the failure. */
  ageSeconds: number;
  /** One line of no more than 200 characters. */
  reason: string;
}

/** A choice among the jobs of a queue; all of them without conditions. */
export interface JobFilter {
  id?: string | undefined;
  /** Name of the job. */
  job?: string | undefined;
  tenant?: string | undefined;
}

/** Jobs that `top` reads at most. */
const sampleSize = 10_000;
/** A job may end between two reads. */
const oldestReads = 3;
const actionsAtOnce = 20;

/** The state of queues. @param queues names (default: all) */
export function observeQueues(
  backend: Pick<QueueBackend, 'admin'>,
  queues: readonly string[] = queuesOf(declaredJobs),
): Promise<ObservedQueue[]> {
  return Promise.all(
    queues.map(async (queue) => {
      const admin = backend.admin(queue);
      const state = await admin.state();
      const oldest = await oldestWaiting(admin, state);
      return { queue, ...state, oldestSeconds: oldest ? secondsSince(oldest.dueAt) : 0 };
    }),
  );
}

/** The queues of an installation, for operators. Every method with a queue throws QuireError NOT_FOUND. */
export class QueueAdministration {
  private readonly jobsOf: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(
    private readonly backend: Pick<QueueBackend, 'admin'>,
    private readonly outboxes: Pick<OutboxAdministration, 'pendingOf' | 'pendingByTenant' | 'dropPending'>,
    /** The registry's schema. */
    private readonly registry: Queryable,
    jobs: readonly JobDeclaration[] = declaredJobs,
  ) {
    this.jobsOf = new Map(
      queuesOf(jobs).map((name) => [
        name,
        new Set(jobs.filter(({ queue }) => queue === name).map((job) => job.name)),
      ]),
    );
  }

  /** The names of all queues. */
  get names(): string[] {
    return [...this.jobsOf.keys()];
  }

  /** The state of every queue, with its messages in the outboxes, and the sites that are paused in it. */
  async list(): Promise<QueueSummary[]> {
    const pauses = await this.pauses();
    const queues = await observeQueues(this.backend, [...this.jobsOf.keys()]);
    return Promise.all(
      queues.map(async (observed) => {
        const outbox = await this.outboxes.pendingOf(this.namesOf(observed.queue));
        // A queue that is full has its oldest jobs in the outboxes.
        const oldestSeconds = Math.max(observed.oldestSeconds, outbox.oldestSeconds);
        return { ...observed, oldestSeconds, outbox, pausedSites: sitesOf(pauses, observed.queue) };
      }),
    );
  }

  /** The sites of the jobs that wait in the queue, from a sample of no more than 10,000, and in the outboxes. */
  async top(queue: string): Promise<TopSites> {
    const admin = this.admin(queue);
    const { waiting } = await admin.state();
    const skip = Math.max(0, waiting - sampleSize);
    const sample = await admin.list('waiting', { skip, limit: sampleSize });
    const counts = new Map<string | null, number>();
    const add = (tenant: string | null, jobs: number) => counts.set(tenant, (counts.get(tenant) ?? 0) + jobs);
    for (const job of sample) add(tenantOf(job), 1);
    let pending = 0;
    for (const { tenant, count } of await this.outboxes.pendingByTenant(this.namesOf(queue))) {
      add(tenant, count);
      pending += count;
    }
    const paused = sitesOf(await this.pauses(), queue);
    for (const tenant of paused) add(tenant, 0);
    const sites = [...counts]
      .map(([tenant, jobs]) => ({ tenant, jobs, isPaused: tenant !== null && paused.includes(tenant) }))
      .sort((a, b) => b.jobs - a.jobs);
    return { sample: sample.length + pending, waiting: waiting + pending, sites };
  }

  /** The failed jobs, the last failed first. A queue retains a limited number. */
  async failed(queue: string, filter: JobFilter = {}): Promise<FailedJob[]> {
    const { jobs } = await this.find(queue, ['failed'], filter);
    return jobs.map((job) => ({
      id: job.id,
      job: job.name,
      tenant: tenantOf(job),
      attempts: job.attempts,
      ageSeconds: job.endedAt ? secondsSince(job.endedAt) : 0,
      reason: reasonOf(job),
    }));
  }

  /** Makes failed jobs run again, with all their attempts. @returns their number */
  async retry(queue: string, filter: JobFilter = {}): Promise<number> {
    const { admin, jobs } = await this.find(queue, ['failed'], filter);
    return countOf(jobs, (job) => admin.retry(job.id));
  }

  /** Makes a failed job run again, with all its attempts. @returns false if it is gone or has not failed */
  retryOne(queue: string, id: string): Promise<boolean> {
    return this.admin(queue).retry(id);
  }

  /** Makes a delayed job run now. @returns false if it is gone or not delayed */
  promoteOne(queue: string, id: string): Promise<boolean> {
    return this.admin(queue).promote(id);
  }

  /**
   * Deletes the waiting, delayed and failed jobs of a site, and their messages in the outboxes. Running jobs end.
   * @returns their number
   */
  async drop(queue: string, filter: JobFilter & { tenant: string }): Promise<number> {
    const names = [...this.namesOf(queue)].filter((name) => filter.job === undefined || name === filter.job);
    // Messages first: one that becomes a job in between is found in the queue.
    const messages =
      filter.id === undefined ? await this.outboxes.dropPending(new Set(names), filter.tenant) : 0;
    const { admin, jobs } = await this.find(queue, ['waiting', 'delayed', 'failed'], filter);
    return messages + (await countOf(jobs, (job) => admin.remove(job.id)));
  }

  /** Workers take no job of the queue until it is resumed. Running jobs end, and adding goes on. */
  async pause(queue: string): Promise<void> {
    await this.admin(queue).pause();
  }

  /** Ends `pause`. Paused sites remain paused. */
  async resume(queue: string): Promise<void> {
    await this.admin(queue).resume();
  }

  /**
   * Workers run no job of the site in the queue until it is resumed: within about a second in all processes. Running
   * jobs end. Its messages wait in the outboxes.
   * @throws QuireError NOT_FOUND (queue, site)
   */
  async pauseSite(queue: string, tenant: string): Promise<void> {
    this.admin(queue);
    if (!(await insertQueuePause(this.registry, queue, tenant)))
      throw new QuireError('NOT_FOUND', `There is no tenant ${tenant}`);
  }

  /** Ends `pauseSite`. */
  async resumeSite(queue: string, tenant: string): Promise<void> {
    this.admin(queue);
    await deleteQueuePause(this.registry, queue, tenant);
  }

  /** The paused sites of all queues. */
  pauses(): Promise<QueuePause[]> {
    return listQueuePauses(this.registry);
  }

  private namesOf(queue: string): ReadonlySet<string> {
    return this.jobsOf.get(queue) ?? new Set();
  }

  private admin(queue: string): QueueAdmin {
    if (!this.jobsOf.has(queue)) {
      const names = [...this.jobsOf.keys()].join(', ');
      throw new QuireError('NOT_FOUND', `There is no queue ${queue}: choose among ${names}`);
    }
    return this.backend.admin(queue);
  }

  private async find(
    queue: string,
    states: readonly ('waiting' | 'delayed' | 'failed')[],
    { id, job: name, tenant }: JobFilter,
  ): Promise<{ admin: QueueAdmin; jobs: ListedJob[] }> {
    const admin = this.admin(queue);
    const counts = await admin.state();
    const jobs = new Map<string, ListedJob>();
    for (const state of states)
      for (const job of await admin.list(state, { skip: 0, limit: counts[state] })) jobs.set(job.id, job);
    const matches = (job: ListedJob) =>
      (id === undefined || job.id === id) &&
      (name === undefined || job.name === name) &&
      (tenant === undefined || tenantOf(job) === tenant);
    return { admin, jobs: [...jobs.values()].filter(matches) };
  }
}

const sitesOf = (pauses: readonly QueuePause[], queue: string) => [
  ...new Set(
    pauses.filter((pause) => [queue, everyQueue].includes(pause.queue)).map(({ tenantId }) => tenantId),
  ),
];

/** The job that has waited longest: the last of the list. */
async function oldestWaiting(admin: QueueAdmin, state: QueueState): Promise<ListedJob | undefined> {
  let { waiting } = state;
  for (let read = 0; read < oldestReads && waiting > 0; read += 1) {
    const [oldest] = await admin.list('waiting', { skip: waiting - 1, limit: 1 });
    if (oldest) return oldest;
    waiting = (await admin.state()).waiting;
  }
  return undefined;
}

/** Number of jobs for which an action succeeds, a few at a time. */
async function countOf(
  jobs: readonly ListedJob[],
  action: (job: ListedJob) => Promise<boolean>,
): Promise<number> {
  let count = 0;
  for (let start = 0; start < jobs.length; start += actionsAtOnce) {
    const results = await Promise.all(jobs.slice(start, start + actionsAtOnce).map(action));
    count += results.filter(Boolean).length;
  }
  return count;
}

function secondsSince(time: Date): number {
  return Math.max(0, (Date.now() - time.getTime()) / 1000);
}
