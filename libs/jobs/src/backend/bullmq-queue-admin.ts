import type { Job, JobType, Queue } from 'bullmq';
import type { ListedJob, QueueAdmin } from './queue-backend.js';

/** BullMQ reads each job by a statement of its own, and a queue has few connections. */
const pageSize = 100;
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
      await job.retry('failed', { resetAttemptsMade: true });
      return true;
    },
    remove: async (id) => (await queue.remove(id)) === 1,
    pause: () => queue.pause(),
    resume: () => queue.resume(),
  };
}

/** Workers of earlier versions have no name. */
function isOfNamespace(rawName: string | undefined, namespace: string): boolean {
  const name = rawName?.split(':w:')[1];
  return name === undefined || name.startsWith(`${namespace}/`);
}

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
