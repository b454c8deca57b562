import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import {
  countMessagesByJob,
  countMessagesByTenant,
  deleteFailedMessage,
  deleteMessagesOfTenant,
  retryMessage,
  selectFailedMessages,
  type FailedMessage,
} from '../outbox/outbox.js';

/** The outbox of a service in one of its databases. */
export interface Outbox {
  service: string;
  /** Key of the database; null for the default. */
  database: string | null;
  sql: Queryable;
}

export interface PendingMessages {
  count: number;
  /** Age of the oldest; 0 without messages. */
  oldestSeconds: number;
}

/** Maximum number of listed messages of each outbox. */
const maxListed = 1_000;

/** The outboxes of an installation, for operators. */
export class OutboxAdministration {
  constructor(private readonly outboxes: readonly Outbox[]) {}

  /** The failed messages, the oldest of each outbox first, no more than 1,000 of each. */
  async listFailed(): Promise<(FailedMessage & Pick<Outbox, 'service' | 'database'>)[]> {
    const lists = this.outboxes.map(async ({ service, database, sql }) => {
      const messages = await selectFailedMessages(sql, maxListed);
      return messages.map((message) => ({ service, database, ...message }));
    });
    return (await Promise.all(lists)).flat();
  }

  /** Makes a failed message pending again. @throws QuireError NOT_FOUND */
  async retry(id: string): Promise<void> {
    await this.changeOne(id, retryMessage);
  }

  /** Deletes a failed message: its job never runs. @throws QuireError NOT_FOUND */
  async drop(id: string): Promise<void> {
    await this.changeOne(id, deleteFailedMessage);
  }

  /** Pending messages of these jobs in all outboxes. @param jobs names */
  async pendingOf(jobs: ReadonlySet<string>): Promise<PendingMessages> {
    const counts = (await Promise.all(this.outboxes.map(({ sql }) => countMessagesByJob(sql))))
      .flat()
      .filter(({ job }) => jobs.has(job));
    return {
      count: counts.reduce((sum, { count }) => sum + count, 0),
      oldestSeconds: Math.max(0, ...counts.map(({ oldestSeconds }) => oldestSeconds)),
    };
  }

  /** Numbers of pending messages of these jobs by site. */
  async pendingByTenant(jobs: ReadonlySet<string>): Promise<{ tenant: string | null; count: number }[]> {
    return (await Promise.all(this.outboxes.map(({ sql }) => countMessagesByTenant(sql, [...jobs])))).flat();
  }

  /** Deletes the pending messages of these jobs of a site: their jobs never run. @returns their number */
  async dropPending(jobs: ReadonlySet<string>, tenant: string): Promise<number> {
    let count = 0;
    for (const { sql } of this.outboxes) count += await deleteMessagesOfTenant(sql, [...jobs], tenant);
    return count;
  }

  private async changeOne(
    id: string,
    change: (sql: Queryable, id: string) => Promise<boolean>,
  ): Promise<void> {
    for (const { sql } of this.outboxes) if (await change(sql, id)) return;
    throw new QuireError('NOT_FOUND', `There is no failed message ${id}: see "cms outbox list"`);
  }
}
