import type { Queryable, TransactionalDatabase } from '@quire/database';
import { logFactsOf, type NewJob, type QueueBackend, type QueueLogger } from '../backend/index.js';
import type { JobDeclaration } from '../declare/declare-job.js';
import { parseTraceparent, startSpan, type Span } from '@quire/tracing';
import {
  claimMessages,
  deleteMessages,
  failMessage,
  unknownJobs,
  type StoredMessage,
} from '../outbox/outbox.js';
import { addJobs, describeRejection, type RejectedJob } from './add-jobs.js';

const pollEveryMs = 1_000;
/** Prevents processes from polling in step. */
const jitterMs = 250;
const maxBackoffMs = 10_000;
const batchSize = 500;
const unknownJobsCheckEveryMs = 60_000;
/**
 * Failed runs before messages count as rejected although the store accepted no other message: until then the failure
 * may be one of the store.
 */
const failuresBeforeRejection = 2;

export interface OutboxPollerOptions {
  database: TransactionalDatabase;
  backend: QueueBackend;
  logger: QueueLogger;
  /** The jobs of the messages, by name. */
  jobs: ReadonlyMap<string, JobDeclaration>;
}

/** Moves the messages of one database independently: an outage of another database does not delay them. */
export class OutboxPoller {
  private readonly jobNames: readonly string[];
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isWoken = false;
  private isStopped = true;
  private failures = 0;
  private nextUnknownJobsCheckAt = 0;

  constructor(private readonly options: OutboxPollerOptions) {
    this.jobNames = [...options.jobs.keys()];
  }

  start(): void {
    if (!this.isStopped) return;
    this.isStopped = false;
    this.schedule(0);
  }

  /** Dispatches now instead of at the next poll. */
  wake(): void {
    // A second call must not postpone the run that the first has requested.
    if (this.isStopped || this.isWoken) return;
    this.isWoken = true;
    // While the store is down, more attempts would only load it.
    if (!this.running && this.failures === 0) this.schedule(0);
  }

  /** Stops after the running batch. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.running = this.run().finally(() => {
        this.running = undefined;
        this.schedule(this.nextDelayMs());
      });
    }, delayMs);
  }

  private nextDelayMs(): number {
    if (this.failures > 0) return Math.min(maxBackoffMs, pollEveryMs * 2 ** (this.failures - 1));
    return this.isWoken ? 0 : pollEveryMs + Math.random() * jitterMs;
  }

  private async run(): Promise<void> {
    this.isWoken = false;
    const { logger } = this.options;
    try {
      while (!this.isStopped && (await this.dispatchBatch()) === batchSize);
      await this.warnUnknownJobs();
      if (this.failures > 0) logger.info({}, 'outbox dispatch recovered');
      this.failures = 0;
    } catch (error) {
      this.failures += 1;
      // One line for each outage; the messages wait in the outbox.
      if (this.failures === 1) logger.warn({ err: error }, 'outbox dispatch failed: messages stay queued');
    }
  }

  private async dispatchBatch(): Promise<number> {
    const { database, backend } = this.options;
    return database.transaction(async (tx) => {
      const messages = await claimMessages(tx, this.jobNames, batchSize);
      if (messages.length === 0) return 0;
      const rejected: RejectedJob[] = [];
      for (const [queue, added] of this.byQueue(messages))
        rejected.push(...(await publishJobs(backend, queue, added)));
      if (rejected.length === messages.length) await this.assertIsNoOutage(rejected);
      const rejectedIds = new Set(rejected.map(({ job }) => job.id));
      await deleteMessages(
        tx,
        messages.map(({ id }) => id).filter((id) => !rejectedIds.has(id)),
      );
      for (const each of rejected) await this.reject(tx, each);
      return messages.length;
    });
  }

  /** @throws the error of a rejected message while the store may be the cause */
  private async assertIsNoOutage([first]: readonly RejectedJob[]): Promise<void> {
    if (this.failures < failuresBeforeRejection) throw first?.error;
    await this.options.backend.ping();
  }

  private async reject(tx: Queryable, { job, error }: RejectedJob): Promise<void> {
    const failure = describeRejection(error);
    await failMessage(tx, job.id, failure);
    this.options.logger.error(
      { job: job.name, messageId: job.id, ...logFactsOf(job.data, job.trace), failure },
      'outbox message rejected by the queue: it stays in the outbox as failed',
    );
  }

  private byQueue(messages: readonly StoredMessage[]): Map<string, NewJob[]> {
    const queues = new Map<string, NewJob[]>();
    for (const message of messages) {
      const job = this.options.jobs.get(message.job);
      if (!job) throw new Error(`The outbox gave a message for ${message.job}, which was not asked for`);
      const added = queues.get(job.queue) ?? [];
      added.push(newJob(job, message));
      queues.set(job.queue, added);
    }
    return queues;
  }

  /** Logs messages of jobs that this version does not know; they are left for a version that does. */
  private async warnUnknownJobs(): Promise<void> {
    if (Date.now() < this.nextUnknownJobsCheckAt) return;
    this.nextUnknownJobsCheckAt = Date.now() + unknownJobsCheckEveryMs;
    const unknown = await unknownJobs(this.options.database, this.jobNames);
    if (unknown.length > 0)
      this.options.logger.warn({ jobs: unknown }, 'outbox holds messages for unknown jobs');
  }
}

/** Adds jobs to a queue, each in a span of the trace that its run continues. */
async function publishJobs(
  backend: QueueBackend,
  queue: string,
  added: readonly NewJob[],
): Promise<RejectedJob[]> {
  const published = added.map((job) => startPublication(queue, job));
  const end = (failureOf: (id: string) => unknown) => {
    for (const { job, span } of published) span?.end(failureOf(job.id));
  };
  try {
    const rejected = await addJobs(
      backend.queue(queue),
      published.map(({ job }) => job),
    );
    end((id) => rejected.find(({ job }) => job.id === id)?.error);
    return rejected;
  } catch (error) {
    end(() => error);
    throw error;
  }
}

function startPublication(queue: string, job: NewJob): { job: NewJob; span: Span | undefined } {
  // Work without a request has no trace.
  if (job.trace === undefined) return { job, span: undefined };
  const span = startSpan(`publish ${job.name}`, {
    kind: 'producer',
    parent: job.trace,
    attributes: {
      'messaging.system': 'bullmq',
      'messaging.operation.type': 'send',
      'messaging.destination.name': queue,
      'messaging.message.id': job.id,
    },
  });
  return { job: span ? { ...job, trace: span.trace } : job, span };
}

function newJob(job: JobDeclaration, { id, message, dueAt, trace }: StoredMessage): NewJob {
  const { name, attempts, backoffMs, keepCompleted, keepFailed } = job;
  const delayMs = dueAt === null ? 0 : Math.max(0, Date.parse(dueAt) - Date.now());
  const options = { delayMs, attempts, backoffMs, keepCompleted, keepFailed };
  return { name, id, data: message, trace: parseTraceparent(trace), ...options };
}
