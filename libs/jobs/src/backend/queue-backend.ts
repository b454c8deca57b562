/** A job as it is handed to a queue. Nothing is left to defaults. */
export interface NewJob {
  name: string;
  /** Adding an id twice adds one job. */
  id: string;
  /** JSON data. */
  data: object;
  delayMs: number;
  attempts: number;
  /** Delay before the second attempt; it doubles from attempt to attempt. */
  backoffMs: number;
  /** Finished jobs kept for people to look at. */
  keepCompleted: number;
  keepFailed: number;
}

export interface JobQueue {
  /** Adds jobs, all or none. @throws within a second or two when the store does not answer. */
  addAll(jobs: readonly NewJob[]): Promise<void>;
  /** How many jobs wait, run, are delayed and have failed. */
  counts(): Promise<Record<string, number>>;
}

export interface RunningJob {
  id: string;
  name: string;
  data: unknown;
  /** 1 for the first. */
  attempt: number;
}

/** How jobs of one queue are run in this process. */
export interface WorkerOptions {
  concurrency: number;
  /** A job whose worker has not been heard of for so long is taken by another. */
  lockSeconds: number;
  /** How often that may happen to a job before it counts as failed. */
  maxStalls: number;
}

export interface JobWorker {
  /**
   * Takes no new jobs and waits for running ones, but not longer than this; one that runs on then counts as stalled and
   * is taken by another worker.
   */
  stop(withinSeconds: number): Promise<void>;
}

/** A job that no further attempt will help. */
export class UnrecoverableJobError extends Error {
  override name = 'UnrecoverableJobError';
}

/** Messages to every process at once, delivered at most once: for dropping caches, not for work. */
export interface ProcessRelay {
  /** Never throws: a store that is down costs a log line, and receivers learn of the gap. */
  publish(topic: string, data: object): void;
  /** Listens to topics; where the store refuses at first, it is asked again until it does not, and a gap is told. */
  subscribe(pattern: string, listener: (data: unknown) => void): Promise<void>;
  /** Called when messages may have been missed: whatever is cached by them must be dropped. */
  onReconnect(listener: () => void): void;
  close(): Promise<void>;
}

/** Where queues and relay keep their data: one port, on PostgreSQL and on Redis (design 1). */
export interface QueueBackend {
  readonly kind: 'postgres' | 'redis';
  queue(name: string): JobQueue;
  /** Starts to run jobs of a queue. While the store is down at start, PostgreSQL throws and Redis is waited for. */
  worker(
    name: string,
    options: WorkerOptions,
    run: (job: RunningJob) => Promise<unknown>,
  ): Promise<JobWorker>;
  relay(name: string): Promise<ProcessRelay>;
  /** Resolves when the store answers. @throws within a few seconds when it does not. */
  ping(): Promise<void>;
  /** Closes queues, relays and workers that are still open, and their connections. */
  close(): Promise<void>;
}

/** The part of a logger that queues need. */
export interface QueueLogger {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}
