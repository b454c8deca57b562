import type { Job, JobType, Queue } from 'bullmq';
import type { ListedJob, QueueAdmin } from './queue-backend.js';

/**
 * BullMQ reads each job by a statement of its own, all of a page at the same time. A queue has few connections, and a
 * statement that waits for one longer than a second or two fails.
 */
const pageSize = 50;
/** Waiting jobs of a paused queue on PostgreSQL count as `paused`, which the type does not list. */
const paused = 'paused' as JobType;

/** BullMQ's getters and actions behind the port. @param namespace distinguishes workers that share a PostgreSQL */
export function bullMqQueueAdmin(queue: Queue, namespace: string): QueueAdmin {
  return {
    async state() {
      const counts = await queue.getJobCounts('waiting', paused, 'active', 'delayed', 'failed');
      const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts;
      const workers = await queue.getWorkers();
      return {
        waiting: waiting + (counts[paused] ?? 0),
        active,
        delayed,
        failed,
        workers: workers.filter(({ rawname }) => isOfNamespace(rawname, namespace)).length,
        isPaused: await queue.isPaused(),
      };
    },
    async finished() {
      const { meta: completed } = await queue.getMetrics('completed', 0, 0);
      const { meta: failed } = await queue.getMetrics('failed', 0, 0);
      return completed.count + failed.count;
    },
    async workers() {
      const workers = await queue.getWorkers();
      return workers.flatMap(({ rawname }) => {
        const name = isOfNamespace(rawname, namespace) ? nameOf(rawname) : undefined;
        return name === undefined ? [] : [name.slice(namespace.length + 1)];
      });
    },
    async list(state, { skip, limit }) {
      const jobs = new Map<string, ListedJob>();
      for (let start = skip; start < skip + limit; start += pageSize) {
        const end = Math.min(start + pageSize, skip + limit) - 1;
        const page = await queue.getJobs([state], start, end, false);
        for (const job of page) jobs.set(job.id ?? '', toListedJob(job));
        if (page.length === 0) break;
      }
      return [...jobs.values()];
    },
    async retry(id) {
      const job = await queue.getJob(id);
      if (!job || !(await job.isFailed())) return false;
      return succeedsUnless(
        () => job.retry('failed', { resetAttemptsMade: true }),
        async () => !(await job.isFailed()),
      );
    },
    async promote(id) {
      const job = await queue.getJob(id);
      if (!job || !(await job.isDelayed())) return false;
      return succeedsUnless(
        () => job.promote(),
        async () => !(await job.isDelayed()),
      );
    },
    async remove(id) {
      // Redis reports the deletion of a missing job as a success.
      if (!(await queue.getJob(id))) return false;
      let removed = 0;
      const isRemoved = await succeedsUnless(
        async () => void (removed = await queue.remove(id)),
        async () => ['active', 'unknown'].includes(await queue.getJobState(id)),
      );
      return isRemoved && removed === 1;
    },
    pause: () => queue.pause(),
    resume: () => queue.resume(),
  };
}

/** Whether an action on a job succeeded; false for a failure because the job has changed. */
async function succeedsUnless(
  action: () => Promise<void>,
  hasChanged: () => Promise<boolean>,
): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    if (await hasChanged()) return false;
    throw error;
  }
}

/** Workers of earlier versions have no name. */
function isOfNamespace(rawName: string | undefined, namespace: string): boolean {
  const name = nameOf(rawName);
  return name === undefined || name.startsWith(`${namespace}/`);
}

const nameOf = (rawName: string | undefined) => rawName?.split(':w:')[1];

function toListedJob({
  id,
  name,
  data,
  attemptsMade,
  timestamp,
  opts,
  finishedOn,
  failedReason,
}: Job): ListedJob {
  return {
    id: id ?? '',
    name,
    data: data as unknown,
    attempts: attemptsMade,
    dueAt: new Date(timestamp + (opts.delay ?? 0)),
    endedAt: finishedOn === undefined ? null : new Date(finishedOn),
    failure: failedReason ?? null,
  };
}
