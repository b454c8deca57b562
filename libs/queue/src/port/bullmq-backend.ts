import { Relay, UnrecoverableError, type Queue, type RelayBackendFactory, type Worker } from 'bullmq';
import { outageLog } from './outage-log.js';
import { bullRelay } from './bullmq-relay.js';
import {
  UnrecoverableJobError,
  type JobQueue,
  type JobWorker,
  type NewJob,
  type QueueBackend,
  type QueueLogger,
  type RunningJob,
  type WorkerOptions,
} from './queue-backend.js';

/** What differs between BullMQ on PostgreSQL and BullMQ on Redis. */
export interface BullParts<Connection> {
  kind: QueueBackend['kind'];
  namespace: string;
  logger: QueueLogger;
  openQueue(name: string): Queue;
  openWorker(name: string, options: BullWorkerOptions, run: BullProcessor): Worker;
  relay: { connection: Connection; backend: RelayBackendFactory<Connection> | undefined };
  ping(): Promise<void>;
  /** Closes what the parts opened beside queues and workers. */
  close(): Promise<void>;
}

export interface BullWorkerOptions {
  concurrency: number;
  lockDuration: number;
  stalledInterval: number;
  maxStalledCount: number;
}

type BullProcessor = (job: {
  id?: string | undefined;
  name: string;
  data: unknown;
  attemptsMade: number;
}) => Promise<unknown>;

const relayBlockMs = 5_000;
const relayLeaseMs = 30_000;

/** BullMQ behind the port, whatever it stores its data in. */
export function bullBackend<Connection>(parts: BullParts<Connection>): QueueBackend {
  const queues = new Map<string, Queue>();
  const workers = new Set<Worker>();
  const { logger, kind } = parts;
  return {
    kind,
    queue(name) {
      let queue = queues.get(name);
      if (!queue) {
        queue = parts.openQueue(name);
        queue.on('error', outageLog(logger, `the queue store (${kind})`));
        queues.set(name, queue);
      }
      return jobQueue(queue);
    },
    async worker(name, options, run) {
      const worker = parts.openWorker(name, bullOptions(options), (job) => runJob(job, run));
      worker.on('error', outageLog(logger, `the queue store (${kind})`));
      workers.add(worker);
      await worker.waitUntilReady();
      return jobWorker(worker, workers);
    },
    async relay(name) {
      const relay = new Relay<Connection>({
        connection: parts.relay.connection,
        ...(parts.relay.backend ? { backend: parts.relay.backend } : {}),
        prefix: parts.namespace,
        namespace: parts.namespace,
        name,
        blockTimeout: relayBlockMs,
        leaseDuration: relayLeaseMs,
      });
      return bullRelay(relay, logger);
    },
    ping: () => parts.ping(),
    async close() {
      await Promise.all([...workers].map((worker) => worker.close()));
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      await parts.close();
    },
  };
}

function bullOptions({ concurrency, lockSeconds, maximumStalls }: WorkerOptions): BullWorkerOptions {
  const lockDuration = lockSeconds * 1000;
  return { concurrency, lockDuration, stalledInterval: lockDuration, maxStalledCount: maximumStalls };
}

async function runJob(
  job: Parameters<BullProcessor>[0],
  run: (job: RunningJob) => Promise<unknown>,
): Promise<unknown> {
  try {
    return await run({ id: job.id ?? '', name: job.name, data: job.data, attempt: job.attemptsMade + 1 });
  } catch (error) {
    if (error instanceof UnrecoverableJobError) throw new UnrecoverableError(error.message);
    throw error;
  }
}

function jobQueue(queue: Queue): JobQueue {
  return {
    async addAll(jobs) {
      await queue.addBulk(jobs.map(bullJob));
    },
    counts: () => queue.getJobCounts('waiting', 'active', 'delayed', 'failed'),
  };
}

function bullJob({ name, id, data, delayMs, attempts, backoffMs, keepCompleted, keepFailed }: NewJob) {
  return {
    name,
    data,
    opts: {
      jobId: id,
      delay: delayMs,
      attempts,
      backoff: { type: 'exponential' as const, delay: backoffMs },
      removeOnComplete: { count: keepCompleted },
      removeOnFail: { count: keepFailed },
    },
  };
}

function jobWorker(worker: Worker, workers: Set<Worker>): JobWorker {
  return {
    async stop() {
      workers.delete(worker);
      await worker.close();
    },
  };
}
