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
}

/** Looks every few seconds, and right at the start, for what is due in the service's databases. Several may run at once. */
export class Sweep<Claimed> {
  private readonly sweeping: Periodic;

  constructor({ databases, claim, take, failure, logger }: SweepParts<Claimed>) {
    const work = async (isStopping: () => boolean) => {
      for (const sql of databases) {
        let claimed: Claimed[];
        do {
          claimed = await claim(sql, batchSize);
          for (const one of claimed) await take(sql, one);
        } while (claimed.length === batchSize && !isStopping());
      }
    };
    this.sweeping = new Periodic({ work, everyMs, failure, logger });
  }

  start(): void {
    this.sweeping.start(0);
  }

  /** Ends it and waits for what is under way. */
  stop(): Promise<void> {
    return this.sweeping.stop();
  }
}
