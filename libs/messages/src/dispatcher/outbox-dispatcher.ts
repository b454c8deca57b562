import type { TransactionalSql } from '@quire/database';
import type { NewJob, QueueBackend, QueueLogger } from '@quire/queue';
import type { JobDeclaration } from '../declare/declare-job.js';
import { jobs as declaredJobs } from '../declare/jobs.js';
import { removeMessages, takeMessages, waitingMessages, type StoredMessage } from '../outbox/outbox.js';

const pollEveryMs = 1_000;
/** Processes do not poll in step. */
const jitterMs = 250;
const longestBackoffMs = 10_000;
const batchSize = 500;

export interface DispatcherOptions {
  /** The shared schema of each database of the service. */
  databases: readonly TransactionalSql[];
  backend: QueueBackend;
  logger: QueueLogger;
  /** The jobs that messages may be for. */
  jobs?: readonly JobDeclaration[];
}

/**
 * Moves messages from the outbox to the queues, at least once: a message is deleted after its job was added, and the job
 * has the message's id, so adding it again changes nothing. Any number of dispatchers may run.
 */
export class OutboxDispatcher {
  private readonly byName: ReadonlyMap<string, JobDeclaration>;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isWoken = false;
  private isStopped = true;
  private failures = 0;

  constructor(private readonly options: DispatcherOptions) {
    this.byName = new Map((options.jobs ?? declaredJobs).map((job) => [job.name, job]));
  }

  start(): void {
    this.isStopped = false;
    this.schedule(0);
  }

  /** Something was just committed: dispatch now instead of at the next poll. Many calls at once cost one run. */
  wake(): void {
    if (this.isStopped) return;
    this.isWoken = true;
    // While the store is down, waking would only hammer it.
    if (!this.running && this.failures === 0) this.schedule(0);
  }

  /** Stops after the batch that is under way. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** How many messages wait in all databases. */
  async pending(): Promise<number> {
    const waiting = await Promise.all(this.options.databases.map(waitingMessages));
    return waiting.reduce((sum, { count }) => sum + count, 0);
  }

  /** For how many seconds the oldest message has waited. */
  async oldestSeconds(): Promise<number> {
    const waiting = await Promise.all(this.options.databases.map(waitingMessages));
    return Math.max(0, ...waiting.map(({ oldestSeconds }) => oldestSeconds));
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.running = this.run().finally(() => {
        this.running = undefined;
        this.schedule(this.nextDelay());
      });
    }, delayMs);
  }

  private nextDelay(): number {
    if (this.failures > 0) return Math.min(longestBackoffMs, pollEveryMs * 2 ** (this.failures - 1));
    return this.isWoken ? 0 : pollEveryMs + Math.random() * jitterMs;
  }

  private async run(): Promise<void> {
    this.isWoken = false;
    try {
      for (const database of this.options.databases) {
        while (!this.isStopped && (await this.dispatchBatch(database)) === batchSize);
      }
      if (this.failures > 0) this.options.logger.info({}, 'messages are on their way again');
      this.failures = 0;
    } catch (error) {
      this.failures += 1;
      // One line an outage; the messages wait in the outbox.
      if (this.failures === 1)
        this.options.logger.warn({ err: error }, 'messages cannot be dispatched now and wait');
    }
  }

  private async dispatchBatch(database: TransactionalSql): Promise<number> {
    return database.transaction(async (tx) => {
      const messages = await takeMessages(tx, batchSize);
      if (messages.length === 0) return 0;
      for (const [queue, added] of this.byQueue(messages))
        await this.options.backend.queue(queue).addAll(added);
      await removeMessages(
        tx,
        messages.map(({ id }) => id),
      );
      return messages.length;
    });
  }

  private byQueue(messages: readonly StoredMessage[]): Map<string, NewJob[]> {
    const queues = new Map<string, NewJob[]>();
    for (const message of messages) {
      const job = this.byName.get(message.job);
      if (!job) {
        // A newer program wrote it, or a job was taken out: nobody here could run it.
        this.options.logger.warn(
          { job: message.job, id: message.id },
          'a message is for a job that does not exist',
        );
        continue;
      }
      const added = queues.get(job.queue) ?? [];
      added.push(newJob(job, message));
      queues.set(job.queue, added);
    }
    return queues;
  }
}

function newJob(job: JobDeclaration, { id, message, dueAt }: StoredMessage): NewJob {
  const { name, attempts, backoffMs, keepCompleted, keepFailed } = job;
  const delayMs = dueAt === null ? 0 : Math.max(0, Date.parse(dueAt) - Date.now());
  return { name, id, data: message, delayMs, attempts, backoffMs, keepCompleted, keepFailed };
}
