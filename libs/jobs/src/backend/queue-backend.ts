import type { Queue } from 'bullmq';

/** A job to add to a queue. All options are explicit. */
export interface NewJob {
  name: string;
  /** Adding an id again adds no job while the queue has the first one, including a retained one. */
  id: string;
  /** JSON data. */
  data: object;
  /** Trace context that the run continues. */
  trace?: string | undefined;
  delayMs: number;
  /** Time from which a job without a delay has waited; default: that of its addition. */
  waitingSince?: Date;
  attempts: number;
  /** Delay before the second attempt; it doubles from attempt to attempt. */
  backoffMs: number;
  /** Number of completed jobs of the queue that are retained when this one completes. */
  keepCompleted: number;
  keepFailed: number;
}

export interface JobQueue {
  /** Adds all jobs or none. @throws within a second or two when the store does not respond */
  addAll(jobs: readonly NewJob[]): Promise<void>;
  /** Numbers of waiting, running, delayed and failed jobs. */
  counts(): Promise<Record<string, number>>;
  /** Number of waiting jobs, paused or not: at no cost of the jobs in other states. */
  waiting(): Promise<number>;
}

export interface RunningJob {
  id: string;
  name: string;
  data: unknown;
  trace?: string | undefined;
  /** Time from which it has waited: of its message, or the end of its delay. */
  dueAt: Date;
  /** 1 for the first. */
  attempt: number;
}

export type ListedState = 'waiting' | 'active' | 'delayed' | 'failed';

/** A job for operators. */
export interface ListedJob {
  id: string;
  name: string;
  data: unknown;
  /** Finished attempts. */
  attempts: number;
  /** Time from which it waits: that of its addition, or the end of its delay. */
  dueAt: Date;
  /** Time of its failure; null for a job that has not failed. */
  endedAt: Date | null;
  failure: string | null;
}

export interface QueueState {
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
  /** Connected workers in all processes. */
  workers: number;
  isPaused: boolean;
}

/** One queue for operators: off the path of jobs. */
export interface QueueAdmin {
  state(): Promise<QueueState>;
  /** Number of jobs that have ended in all processes, completed or failed for good, since the first job. */
  finished(): Promise<number>;
  /** Names of the connected workers of all processes: `<target>@<host>:<process id>`. */
  workers(): Promise<string[]>;
  /** Lists jobs, the newest first. @returns no more than `limit` jobs after the first `skip` ones */
  list(state: ListedState, range: { skip: number; limit: number }): Promise<ListedJob[]>;
  /** Makes a failed job run again, with all its attempts. @returns false if it is gone or has not failed */
  retry(id: string): Promise<boolean>;
  /** Makes a delayed job run now. @returns false if it is gone or not delayed */
  promote(id: string): Promise<boolean>;
  /** Deletes a job. @returns false if it is gone or running */
  remove(id: string): Promise<boolean>;
  /** Workers take no job of a paused queue. Running jobs end, and adding goes on. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** How one process runs the jobs of a queue. */
export interface WorkerOptions {
  /** Name in the store's list of workers, without spaces. */
  name?: string;
  concurrency: number;
  /** A job is taken over by another worker when its worker has not renewed its lock for this time. */
  lockSeconds: number;
  /** Maximum number of such take-overs before the job counts as failed. */
  maxStalls: number;
}

export interface JobWorker {
  /**
   * Takes no new jobs and waits for running ones, but not longer than this time; a job that is still running then
   * counts as stalled and is taken over by another worker.
   */
  stop(withinSeconds: number): Promise<void>;
}

/** The error of a job for which further attempts are useless. */
export class UnrecoverableJobError extends Error {
  override name = 'UnrecoverableJobError';
}

/** The end of a run that did nothing: the job becomes due again after the delay, and has used no attempt. */
export class PostponedJobError extends Error {
  override name = 'PostponedJobError';

  constructor(
    message: string,
    readonly delayMs: number,
  ) {
    super(message);
  }
}

/** Messages to every process, delivered at most once: for invalidating caches, not for work. */
export interface ProcessRelay {
  /** Never throws: an unreachable store costs a log line, and receivers are notified of the gap. */
  publish(topic: string, data: object): void;
  /** Subscribes to topics; a failed subscription is retried until it succeeds, and reported as a gap. */
  subscribe(pattern: string, listener: (data: unknown) => void): Promise<void>;
  /** Called when messages may have been missed: caches that depend on them must be invalidated. */
  onReconnect(listener: () => void): void;
  close(): Promise<void>;
}

/** The store of queues and relay: one port, on PostgreSQL and on Redis (design 1). */
export interface QueueBackend {
  readonly kind: 'postgres' | 'redis';
  queue(name: string): JobQueue;
  admin(name: string): QueueAdmin;
  /** The queue of BullMQ, for reads by the dashboard. It may be another one at the next use. */
  raw(name: string): Queue;
  /** Starts to run jobs of a queue. If the store is unreachable, PostgreSQL throws and Redis waits. */
  worker(
    name: string,
    options: WorkerOptions,
    run: (job: RunningJob) => Promise<unknown>,
  ): Promise<JobWorker>;
  relay(name: string): Promise<ProcessRelay>;
  /** Resolves when the store responds. @throws within a few seconds when it does not */
  ping(): Promise<void>;
  /** Closes queues, relays and workers that are still open, and their connections. */
  close(): Promise<void>;
}

/** The part of a logger that queues need. */
export interface QueueLogger {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
