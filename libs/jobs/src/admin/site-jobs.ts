import { memoizeFor } from '@quire/observability';
import type { ListedJob, ListedState, QueueBackend } from '../backend/index.js';
import type { JobDeclaration } from '../declare/declare-job.js';
import { jobs as declaredJobs } from '../declare/jobs.js';
import type { PausedSites } from '../pause/paused-sites.js';
import { queuesOf, tenantOf } from './listed-jobs.js';

/** The jobs of a site in a queue. */
export interface SiteQueue extends Record<ListedState, number> {
  queue: string;
  /** Whether an operator has paused the jobs of the site, or those of all sites. */
  isPaused: boolean;
  /** False: the queue has more jobs than were read, so the numbers may be larger. */
  isComplete: boolean;
}

export interface FailedSiteJob {
  id: string;
  queue: string;
  job: string;
  attempts: number;
  /** ISO 8601. */
  failedAt: string | null;
}

export interface JobsOfSite {
  queues: SiteQueue[];
  /** The last ones, the newest first. */
  failed: FailedSiteJob[];
}

const states = ['waiting', 'active', 'delayed', 'failed'] as const satisfies readonly ListedState[];
/** Jobs of a state that are read: as many as a queue retains of failed ones. */
const sampleSize = 500;
const maxFailed = 50;
/** Sites share a read: its cost does not grow with their number. */
const cacheMs = 5_000;

/** Jobs that were read of one state of a queue. */
interface Sample {
  queue: string;
  state: ListedState;
  /** Whether the jobs of all sites are paused. */
  isPaused: boolean;
  isComplete: boolean;
  jobs: ListedJob[];
}

/** The jobs of each site, for its administrators. Queues hold the jobs of all sites. */
export class SiteJobs {
  private readonly read: () => Promise<Sample[]>;

  constructor(
    private readonly backend: Pick<QueueBackend, 'admin'>,
    private readonly pausedSites: Pick<PausedSites, 'of'>,
    private readonly jobs: readonly JobDeclaration[] = declaredJobs,
    maxAgeMs = cacheMs,
  ) {
    this.read = memoizeFor(maxAgeMs, () => this.readAll());
  }

  /** The jobs of a site. @throws an error of the queue store */
  async of(tenantId: string): Promise<JobsOfSite> {
    const samples = (await this.read()).map((sample) => ({
      ...sample,
      jobs: sample.jobs.filter((job) => tenantOf(job) === tenantId),
    }));
    const queues = queuesOf(this.jobs).map((queue) => {
      const own = samples.filter((sample) => sample.queue === queue);
      const count = (state: ListedState) => own.find((sample) => sample.state === state)?.jobs.length ?? 0;
      return {
        queue,
        waiting: count('waiting'),
        active: count('active'),
        delayed: count('delayed'),
        failed: count('failed'),
        isPaused: this.pausedSites.of(queue).has(tenantId) || own.some(({ isPaused }) => isPaused),
        isComplete: own.every(({ isComplete }) => isComplete),
      };
    });
    const failed = samples
      .filter(({ state }) => state === 'failed')
      .flatMap(({ queue, jobs }) => jobs.map((job) => toFailedJob(queue, job)))
      .sort((left, right) => (right.failedAt ?? '').localeCompare(left.failedAt ?? ''))
      .slice(0, maxFailed);
    return { queues, failed };
  }

  /** Reads the queues one after the other: their connections serve requests too. */
  private async readAll(): Promise<Sample[]> {
    const samples: Sample[] = [];
    for (const queue of queuesOf(this.jobs)) {
      const admin = this.backend.admin(queue);
      const counts = await admin.state();
      for (const state of states) {
        const skip = state === 'waiting' ? Math.max(0, counts.waiting - sampleSize) : 0;
        const jobs = counts[state] === 0 ? [] : await admin.list(state, { skip, limit: sampleSize });
        const isComplete = counts[state] <= sampleSize;
        samples.push({ queue, state, jobs, isPaused: counts.isPaused, isComplete });
      }
    }
    return samples;
  }
}

/** The reason is for operators: it may name servers of the installation. */
function toFailedJob(queue: string, job: ListedJob): FailedSiteJob {
  const { id, name, attempts, endedAt } = job;
  return {
    id,
    queue,
    job: name,
    attempts,
    failedAt: endedAt?.toISOString() ?? null,
  };
}
