import type { Queryable } from '@quire/database';
import type { Logger } from '@quire/observability';
import { IntervalTask, type Sweep } from '@quire/runtime';
import { PostponedWorkError } from './postponed-work-error.js';

const everyMs = 2_000;
const defaultBatchSize = 50;
/** Maximum rows of other sites beside a full batch, by row of the batch: one of each site, within the same lease. */
const otherTenantsFactor = 4;

export interface WorkQueueRunnerOptions<Work> {
  /** The shared schema of each database of the service. */
  databases: readonly Queryable[];
  /** The table of the work. Without `reschedule` failed work is due again when its claim ends. */
  table: {
    claim(sql: Queryable, limit: number): Promise<Work[]>;
    claimOfOtherTenants?(sql: Queryable, limit: number, tenantIds: readonly string[]): Promise<Work[]>;
    reschedule?(sql: Queryable, work: Work): Promise<unknown>;
    /** Makes work due later that ends with PostponedWorkError. */
    postpone?(sql: Queryable, work: Work, afterSeconds: number): Promise<unknown>;
  };
  /**
   * The site of the work of a table with `claimOfOtherTenants`. If given, a site with more due work than a batch does
   * not delay other sites: the longest due work of each comes first.
   */
  tenantOf?: (work: Work) => string;
  /** Processes claimed work, and completes or reschedules it. */
  process: (sql: Queryable, work: Work) => Promise<void>;
  /** Maximum rows of one claim (default: 50). They are processed within the lease. */
  batchSize?: number;
  /** Maximum number of rows of a database that this process works on at a time (default: 1). */
  concurrency?: number;
  /** Rows of a claim with the same key are processed one after the other. Default: each row has its own. */
  serialKeyOf?: (work: Work) => string;
  /** Called when the due work of a database is processed, with any result. */
  onSwept?: (sql: Queryable) => Promise<void>;
  /** Whether no work is left that will be due: the runner then pauses until `wake`. Default: it continues to poll. */
  isEmpty?: (sql: Queryable) => Promise<boolean>;
  /** Log line for failed work, and the fields that identify it. */
  failureMessage: string;
  fieldsOf: (work: Work) => object;
  /** Log line when a database fails, once for each outage. */
  failure: string;
  logger: Pick<Logger, 'warn'>;
}

/**
 * Processes due work of the service's databases, at the start and every few seconds. Any number of processes may run
 * one. Failed work delays no other work, and a database that fails or is slow delays no other database.
 */
export class WorkQueueRunner<Work> implements Sweep {
  readonly tasks: readonly IntervalTask[];

  constructor(private readonly options: WorkQueueRunnerOptions<Work>) {
    const { databases, failure, logger } = options;
    this.tasks = databases.map((sql) => {
      const task: IntervalTask = new IntervalTask({
        work: async (isStopping) => {
          await this.sweep(sql, task, isStopping);
          if (await options.isEmpty?.(sql)) task.pause();
        },
        everyMs,
        failure,
        logger,
      });
      return task;
    });
  }

  start(): void {
    for (const task of this.tasks) task.start(0);
  }

  /** Checks for due work after this delay, or earlier. */
  wake(delayMs: number): void {
    for (const task of this.tasks) task.wake(delayMs);
  }

  /** Starts no further batch, and waits for the present one. */
  async stop(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
  }

  private async sweep(sql: Queryable, task: IntervalTask, isStopping: () => boolean): Promise<void> {
    const { table, batchSize = defaultBatchSize, onSwept } = this.options;
    let claimed: Work[];
    do {
      claimed = await table.claim(sql, batchSize);
      const others = claimed.length === batchSize ? await this.claimOfOtherTenants(sql, claimed) : [];
      await this.processAll(sql, [...others, ...claimed], task);
    } while (claimed.length === batchSize && !isStopping());
    await onSwept?.(sql);
  }

  private async claimOfOtherTenants(sql: Queryable, claimed: readonly Work[]): Promise<Work[]> {
    const { table, tenantOf } = this.options;
    if (!tenantOf) return [];
    const limit = claimed.length * otherTenantsFactor;
    const tenantIds = [...new Set(claimed.map(tenantOf))];
    return (await table.claimOfOtherTenants?.(sql, limit, tenantIds)) ?? [];
  }

  /** Throws when failed work cannot be rescheduled: then no further work is begun. */
  private async processAll(sql: Queryable, works: readonly Work[], task: IntervalTask): Promise<void> {
    const { concurrency = 1 } = this.options;
    const left = this.inSeries(works);
    const takeTurns = async () => {
      try {
        for (let series = left.shift(); series; series = left.shift())
          for (const work of series) {
            await this.processOne(sql, work);
            task.progress();
          }
      } catch (error) {
        left.length = 0;
        throw error;
      }
    };
    const turns = Array.from({ length: concurrency }, takeTurns);
    await Promise.allSettled(turns);
    await Promise.all(turns);
  }

  /** The work in parts that may be processed concurrently. */
  private inSeries(works: readonly Work[]): Work[][] {
    const { serialKeyOf } = this.options;
    if (!serialKeyOf) return works.map((work) => [work]);
    const series = new Map<string, Work[]>();
    for (const work of works) series.set(serialKeyOf(work), [...(series.get(serialKeyOf(work)) ?? []), work]);
    return [...series.values()];
  }

  /** Throws only when failed work cannot be rescheduled: then the database fails. */
  private async processOne(sql: Queryable, work: Work): Promise<void> {
    const { process, table, failureMessage, fieldsOf, logger } = this.options;
    try {
      await process(sql, work);
    } catch (error) {
      if (error instanceof PostponedWorkError)
        return void (await table.postpone?.(sql, work, error.afterSeconds));
      logger.warn({ ...fieldsOf(work), err: error }, failureMessage);
      await table.reschedule?.(sql, work);
    }
  }
}
