import type { Queryable } from '@quire/database';
import { IntervalTask, type IntervalTaskOptions } from './interval-task.js';

const everyMs = 2_000;
const batchSize = 50;

export interface WorkQueueRunnerOptions<Claimed> extends Pick<IntervalTaskOptions, 'failure' | 'logger'> {
  /** The shared schema of each database of the service. */
  databases: readonly Queryable[];
  /** Takes up to so many of what is due, for a while and for this process alone. */
  claim: (sql: Queryable, limit: number) => Promise<Claimed[]>;
  /** Does what has to be done with one. What it does not finish is claimed again later. */
  take: (sql: Queryable, claimed: Claimed) => Promise<void>;
  /** Puts off one that failed, later each time. Without it one is due again when its claim ends. */
  reschedule?: (sql: Queryable, claimed: Claimed) => Promise<void>;
  /** Told when a database was swept to its end, whatever became of the single ones. */
  onSwept?: (sql: Queryable) => Promise<void>;
  /** What the log says when one fails, and the fields that tell which it is. */
  failureMessage: string;
  fieldsOf: (claimed: Claimed) => object;
}

/**
 * Looks every few seconds, and right at the start, for what is due in the service's databases. Several may run at once.
 * One that fails holds up no other, and neither does a database.
 */
export class WorkQueueRunner<Claimed> {
  private readonly sweeping: IntervalTask;

  constructor(private readonly options: WorkQueueRunnerOptions<Claimed>) {
    const work = (isStopping: () => boolean) => this.sweepAll(isStopping);
    this.sweeping = new IntervalTask({ work, everyMs, failure: options.failure, logger: options.logger });
  }

  start(): void {
    this.sweeping.start(0);
  }

  /** Ends it and waits for what is under way. */
  stop(): Promise<void> {
    return this.sweeping.stop();
  }

  private async sweepAll(isStopping: () => boolean): Promise<void> {
    const failures: unknown[] = [];
    for (const sql of this.options.databases) {
      await this.sweep(sql, isStopping).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  private async sweep(sql: Queryable, isStopping: () => boolean): Promise<void> {
    let claimed: Claimed[];
    do {
      claimed = await this.options.claim(sql, batchSize);
      for (const one of claimed) await this.takeOne(sql, one);
    } while (claimed.length === batchSize && !isStopping());
    await this.options.onSwept?.(sql);
  }

  /** Throws only when the failed one cannot even be put off: then it is the database that fails, for all. */
  private async takeOne(sql: Queryable, claimed: Claimed): Promise<void> {
    const { take, reschedule, failureMessage, fieldsOf, logger } = this.options;
    try {
      await take(sql, claimed);
    } catch (error) {
      logger.warn({ ...fieldsOf(claimed), err: error }, failureMessage);
      await reschedule?.(sql, claimed);
    }
  }
}
