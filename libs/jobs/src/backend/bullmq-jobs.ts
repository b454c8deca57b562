import { DelayedError, UnrecoverableError } from 'bullmq';
import {
  PostponedJobError,
  UnrecoverableJobError,
  type NewJob,
  type RunningJob,
  type WorkerOptions,
} from './queue-backend.js';

/** Minutes of the charts of the dashboard; each is one number in the store. */
const chartMinutes = 24 * 60;

export interface BullMqWorkerOptions {
  name: string;
  concurrency: number;
  lockDuration: number;
  stalledInterval: number;
  maxStalledCount: number;
  /** The numbers of completed and failed jobs of each minute, for the charts of the dashboard. */
  metrics: { maxDataPoints: number };
}

export type BullMqProcessor = (
  job: {
    id?: string | undefined;
    name: string;
    data: unknown;
    timestamp: number;
    opts?: { delay?: number; telemetry?: { metadata?: string | undefined } | undefined };
    attemptsMade: number;
    moveToDelayed(timestamp: number, token?: string): Promise<void>;
  },
  token?: string,
) => Promise<unknown>;

/** Converts worker options to those of BullMQ. @param namespace distinguishes workers that share a PostgreSQL */
export function toBullMqWorkerOptions(
  { name = String(process.pid), concurrency, lockSeconds, maxStalls }: WorkerOptions,
  namespace: string,
): BullMqWorkerOptions {
  const lockDuration = lockSeconds * 1000;
  return {
    name: `${namespace}/${name}`,
    concurrency,
    lockDuration,
    stalledInterval: lockDuration,
    maxStalledCount: maxStalls,
    metrics: { maxDataPoints: chartMinutes },
  };
}

/** Converts a job to that of BullMQ. */
export function toBullMqJob({
  name,
  id,
  data,
  trace,
  delayMs,
  waitingSince,
  attempts,
  backoffMs,
  keepCompleted,
  keepFailed,
}: NewJob) {
  return {
    name,
    data,
    opts: {
      jobId: id,
      delay: delayMs,
      ...(delayMs === 0 && waitingSince ? { timestamp: waitingSince.getTime() } : {}),
      attempts,
      backoff: { type: 'exponential' as const, delay: backoffMs },
      removeOnComplete: { count: keepCompleted },
      removeOnFail: { count: keepFailed },
      // Here BullMQ's own telemetry, which is not in use, stores the context of a job.
      ...(trace === undefined ? {} : { telemetry: { metadata: trace } }),
    },
  };
}

/** The callback of BullMQ for each job, and whether an error that it reports is one of a run. */
export function processor(run: (job: RunningJob) => Promise<unknown>): {
  process: BullMqProcessor;
  hasThrown: (error: Error) => boolean;
} {
  const thrown = new WeakSet<object>();
  return {
    async process(job, token) {
      try {
        const { id = '', name, data, timestamp, attemptsMade, opts } = job;
        return await run({
          id,
          name,
          data,
          trace: opts?.telemetry?.metadata,
          dueAt: new Date(timestamp + (opts?.delay ?? 0)),
          attempt: attemptsMade + 1,
        });
      } catch (error) {
        if (error instanceof PostponedJobError) {
          await job.moveToDelayed(Date.now() + error.delayMs, token);
          throw new DelayedError(error.message);
        }
        const reported = toBullMqError(error);
        thrown.add(reported);
        throw reported;
      }
    },
    hasThrown: (error) => thrown.has(error),
  };
}

function toBullMqError(error: unknown): Error {
  if (error instanceof UnrecoverableJobError) return new UnrecoverableError(error.message);
  return error instanceof Error ? error : new Error(String(error));
}
