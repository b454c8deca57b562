import { tenantOf } from '../admin/listed-jobs.js';
import { PostponedJobError, type QueueBackend, type RunningJob } from '../backend/index.js';
import type { PausedSites } from '../pause/paused-sites.js';

/** Further jobs return by themselves, when their postponement ends. */
const maxRemembered = 10_000;

/**
 * Keeps the jobs of paused sites from running. Those that are in the queue already are postponed without using an
 * attempt, and become due at once when their site resumes: this process remembers their ids. After a restart, or an
 * outage of the store, they become due when their postponement ends.
 */
export class PausedJobs {
  /** Ids of postponed jobs by site. */
  private readonly postponed = new Map<string, Set<string>>();

  constructor(
    private readonly queue: string,
    private readonly deps: {
      backend: Pick<QueueBackend, 'admin'>;
      pausedSites: PausedSites;
      /** Postponement of a job. */
      delayMs: number;
    },
  ) {
    deps.pausedSites.onChange(() => void this.resume());
  }

  /** @returns the paused site of a job; undefined if the job may run */
  pausedSiteOf({ data }: Pick<RunningJob, 'data'>): string | undefined {
    const tenant = tenantOf({ data });
    return tenant !== null && this.deps.pausedSites.of(this.queue).has(tenant) ? tenant : undefined;
  }

  /** The error that postpones a job of a paused site. */
  postpone(id: string, tenant: string): PostponedJobError {
    const ids = this.postponed.get(tenant) ?? new Set();
    if (ids.size < maxRemembered) this.postponed.set(tenant, ids.add(id));
    return new PostponedJobError(`The jobs of ${tenant} are paused`, this.deps.delayMs);
  }

  private async resume(): Promise<void> {
    const paused = this.deps.pausedSites.of(this.queue);
    const resumed = [...this.postponed].filter(([tenant]) => !paused.has(tenant));
    for (const [tenant] of resumed) this.postponed.delete(tenant);
    const admin = this.deps.backend.admin(this.queue);
    try {
      for (const [, ids] of resumed) for (const id of ids) await admin.promote(id);
    } catch {
      // The store does not respond, which its workers log. The jobs become due by themselves.
    }
  }
}
