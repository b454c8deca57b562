import type { Context } from '@quire/context';
import type { Sql } from '@quire/database';
import type { Logger } from '@quire/observability';
import type { EntryServices } from '../entries/index.js';
import { publishDueEntry } from './publish-due-entry.js';
import { claimDue, forgetSchedule, putOff, type ClaimedSchedule } from './schedules.repository.js';

const sweepEveryMs = 2_000;
const batchSize = 50;
/** Later than this is worth a line in the log. */
const lateMs = 5_000;

export interface ScheduleSweepParts {
  /** The shared schema of each database of the service. */
  databases: readonly Sql[];
  services: EntryServices;
  /** A context of system work on a tenant, or undefined when the tenant is gone. */
  contextOf: (tenantId: string, requestId: string) => Promise<Context | undefined>;
  logger: Logger;
}

/**
 * Publishes whatever is due and was missed: by a queue that was down, by a worker that died. The delayed job is the fast
 * way, this is the sure one (design 4).
 */
export class ScheduleSweep {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;
  private isFailing = false;

  constructor(private readonly parts: ScheduleSweepParts) {}

  start(): void {
    this.schedule(0);
  }

  /** Stops sweeping and waits for what is under way. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(delayMs: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.running = this.sweep().finally(() => this.schedule(sweepEveryMs));
    }, delayMs);
  }

  private async sweep(): Promise<void> {
    try {
      for (const sql of this.parts.databases) {
        let claimed: ClaimedSchedule[];
        do {
          claimed = await claimDue(sql, batchSize);
          for (const schedule of claimed) await this.take(sql, schedule);
        } while (claimed.length === batchSize && !this.isStopped);
      }
      this.isFailing = false;
    } catch (error) {
      // One line an outage: the next sweep tries again.
      if (!this.isFailing)
        this.parts.logger.warn({ err: error }, 'scheduled entries cannot be published now');
      this.isFailing = true;
    }
  }

  private async take(sql: Sql, schedule: ClaimedSchedule): Promise<void> {
    const { logger, services, contextOf } = this.parts;
    const { tenantId, entryId, collection, dueAt } = schedule;
    const ctx = await contextOf(tenantId, `sweep:${entryId}`);
    if (!ctx) return forgetSchedule(sql, schedule);
    const { ending, reason } = await publishDueEntry(ctx, services, { collection, id: entryId, dueAt });
    const lateByMs = Date.now() - Date.parse(dueAt);
    const fields = { tenant: tenantId, collection, entryId, ending, lateByMs, reason };
    if (ending === 'refused') {
      await putOff(sql, schedule);
      logger.warn(fields, 'a scheduled entry may not go live as it is');
      return;
    }
    if (ending !== 'published') await forgetSchedule(sql, schedule);
    if (lateByMs > lateMs) logger.warn(fields, 'a scheduled entry is late');
    else logger.info(fields, 'a scheduled entry was swept up');
  }
}
