import type { Sql } from '@quire/database';
import { Periodic, type PeriodicParts } from './periodic.js';

const everyMs = 2_000;
const batchSize = 50;

export interface SweepParts<Claimed> extends Pick<PeriodicParts, 'failure' | 'logger'> {
  /** The shared schema of each database of the service. */
  databases: readonly Sql[];
  /** Takes up to so many of what is due, for a while and for this process alone. */
  claim: (sql: Sql, limit: number) => Promise<Claimed[]>;
  /** Does what has to be done with one. What it does not finish is claimed again later. */
  take: (sql: Sql, claimed: Claimed) => Promise<void>;
  /** Puts off one that failed, later each time. Without it one is due again when its claim ends. */
  putOff?: (sql: Sql, claimed: Claimed) => Promise<void>;
  /** Told when a database was swept to its end, whatever became of the single ones. */
  swept?: (sql: Sql) => Promise<void>;
  /** What the log says when one fails, and the fields that tell which it is. */
  setback: string;
  fieldsOf: (claimed: Claimed) => object;
}

/**
 * Looks every few seconds, and right at the start, for what is due in the service's databases. Several may run at once. One that
 * fails holds up no other, and neither does a database.
 */
export class Sweep<Claimed> {
  private readonly sweeping: Periodic;

  constructor(private readonly parts: SweepParts<Claimed>) {
    const work = (isStopping: () => boolean) => this.sweepAll(isStopping);
    this.sweeping = new Periodic({ work, everyMs, failure: parts.failure, logger: parts.logger });
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
    for (const sql of this.parts.databases) {
      await this.sweep(sql, isStopping).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  private async sweep(sql: Sql, isStopping: () => boolean): Promise<void> {
    let claimed: Claimed[];
    do {
      claimed = await this.parts.claim(sql, batchSize);
      for (const one of claimed) await this.takeOne(sql, one);
    } while (claimed.length === batchSize && !isStopping());
    await this.parts.swept?.(sql);
  }

  /** Throws only when the failed one cannot even be put off: then it is the database that fails, for all. */
  private async takeOne(sql: Sql, claimed: Claimed): Promise<void> {
    const { take, putOff, setback, fieldsOf, logger } = this.parts;
    try {
      await take(sql, claimed);
    } catch (error) {
      logger.warn({ ...fieldsOf(claimed), err: error }, setback);
      await putOff?.(sql, claimed);
    }
  }
}
