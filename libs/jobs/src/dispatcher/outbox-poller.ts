import type { Queryable, TransactionalDatabase } from '@quire/database';
import { logFactsOf, type NewJob, type QueueBackend, type QueueLogger } from '../backend/index.js';
import type { JobDeclaration } from '../declare/declare-job.js';
import { parseTraceparent, startSpan, type Span } from '@quire/tracing';
import {
  claimMessages,
  hasMessages,
  type MessageGroup,
  type StoredMessage,
} from '../outbox/claim-messages.js';
import { deleteMessages, failMessage, unknownJobs } from '../outbox/outbox.js';
import type { PausedSites } from '../pause/paused-sites.js';
import { addJobs, describeRejection, type RejectedJob } from './add-jobs.js';
import { countMaxAgeMs, type QueueWindow } from './queue-window.js';

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
  windowOf: (queue: string) => QueueWindow;
  pausedSites: PausedSites;
  /** Called with the number of messages that have become jobs. */
  onDispatched?: ((messages: number) => void) | undefined;
}

/** The jobs of a claim for one queue. */
interface QueueBatch {
  added: NewJob[];
  /** Number of jobs that the window of the queue holds back. */
  heldBack: number;
}

/** Moves the messages of one database independently: an outage of another database does not delay them. */
export class OutboxPoller {
  private readonly jobNames: readonly string[];
  private readonly queues: ReadonlySet<string>;
  /** The group after which the next claim begins. */
  private after: MessageGroup | undefined;
  /** Whether a queue has no room for further messages. */
  private isHeldBack = false;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isWoken = false;
  private isStopped = true;
  private failures = 0;
  private nextUnknownJobsCheckAt = 0;

  constructor(private readonly options: OutboxPollerOptions) {
    this.jobNames = [...options.jobs.keys()];
    this.queues = new Set([...options.jobs.values()].map(({ queue }) => queue));
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
    // While the store is down or a queue is full, more attempts would only load them.
    if (!this.running && this.failures === 0 && !this.isHeldBack) this.schedule(0);
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
    if (this.isHeldBack) return countMaxAgeMs;
    return this.isWoken ? 0 : pollEveryMs + Math.random() * jitterMs;
  }

  private async run(): Promise<void> {
    // A wake follows a message. Without one most polls find nothing, and need no transaction.
    const mayBeEmpty = !this.isWoken && !this.isHeldBack;
    this.isWoken = false;
    const { logger, database } = this.options;
    try {
      const isEmpty = mayBeEmpty && !(await hasMessages(database));
      while (!isEmpty && (await this.dispatchBatch()) && !this.isStopped && !this.isHeldBack);
      await this.warnUnknownJobs();
      if (this.failures > 0) logger.info({}, 'outbox dispatch recovered');
      this.failures = 0;
    } catch (error) {
      this.failures += 1;
      // One line for each outage; the messages wait in the outbox.
      if (this.failures === 1) logger.warn({ err: error }, 'outbox dispatch failed: messages stay queued');
    }
  }

  /** @returns whether there are further messages that this run can dispatch */
  private async dispatchBatch(): Promise<boolean> {
    const { database, backend, pausedSites, onDispatched } = this.options;
    const { dispatched, hasMore } = await database.transaction(async (tx) => {
      const jobs = await this.openJobs();
      const paused = pausedSites.groupsOf(this.options.jobs.values());
      const claim = await claimMessages(tx, { jobs, limit: batchSize, after: this.after, paused });
      const rejected: RejectedJob[] = [];
      const added: string[] = [];
      for (const [queue, batch] of await this.byQueue(claim.messages)) {
        rejected.push(...(await publishJobs(backend, queue, batch.added)));
        added.push(...batch.added.map(({ id }) => id));
        this.options.windowOf(queue).note({
          added: batch.added.filter(({ delayMs }) => delayMs === 0).length,
          hasHeldBack: batch.heldBack > 0,
        });
        this.isHeldBack ||= batch.heldBack > 0;
      }
      if (added.length > 0 && rejected.length === added.length) await this.assertIsNoOutage(rejected);
      const rejectedIds = new Set(rejected.map(({ job }) => job.id));
      const done = added.filter((id) => !rejectedIds.has(id));
      if (done.length > 0) await deleteMessages(tx, done);
      for (const each of rejected) await this.reject(tx, each);
      this.after = claim.next;
      return { dispatched: done.length, hasMore: claim.hasMore || claim.next !== undefined };
    });
    if (dispatched > 0) onDispatched?.(dispatched);
    return hasMore;
  }

  /** Names of the jobs whose queues have room. Only a queue that has held messages back is asked. */
  private async openJobs(): Promise<readonly string[]> {
    if (!this.isHeldBack) return this.jobNames;
    this.isHeldBack = false;
    const full = new Set<string>();
    for (const queue of this.queues)
      if (this.options.windowOf(queue).hasHeldBack && (await this.options.windowOf(queue).room()) === 0)
        full.add(queue);
    this.isHeldBack = full.size > 0;
    return [...this.options.jobs.values()].filter(({ queue }) => !full.has(queue)).map(({ name }) => name);
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

  /** The jobs to add to each queue: those for which its window has room, and those that are due later. */
  private async byQueue(messages: readonly StoredMessage[]): Promise<Map<string, QueueBatch>> {
    const queues = new Map<string, NewJob[]>();
    for (const message of messages) {
      const job = this.options.jobs.get(message.job);
      if (!job) throw new Error(`The outbox gave a message for ${message.job}, which was not asked for`);
      const jobs = queues.get(job.queue) ?? [];
      jobs.push(newJob(job, message));
      queues.set(job.queue, jobs);
    }
    const batches = new Map<string, QueueBatch>();
    for (const [queue, jobs] of queues) {
      let room = await this.options.windowOf(queue).room();
      const added = jobs.filter(({ delayMs }) => delayMs > 0 || (room -= 1) >= 0);
      batches.set(queue, { added, heldBack: jobs.length - added.length });
    }
    return batches;
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

function newJob(job: JobDeclaration, { id, message, createdAt, dueAt, trace }: StoredMessage): NewJob {
  const { name, attempts, backoffMs, keepCompleted, keepFailed } = job;
  const delayMs = dueAt === null ? 0 : Math.max(0, Date.parse(dueAt) - Date.now());
  const waitingSince = new Date(dueAt ?? createdAt);
  const options = { delayMs, waitingSince, attempts, backoffMs, keepCompleted, keepFailed };
  return { name, id, data: message, trace: parseTraceparent(trace), ...options };
}
