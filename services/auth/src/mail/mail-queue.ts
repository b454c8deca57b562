import type { Context } from '@quire/context';
import { afterCommit, type Queryable, type TransactionalDatabase } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { Logger } from '@quire/observability';
import type { Tenant } from '@quire/tenancy';
import { WorkQueueRunner } from '@quire/work-queue';
import type { MailDelivery } from './mail-delivery.js';
import type { MailRequest, MailSender } from './mail-request.js';
import {
  claimMailsOf,
  deliveryDelayMs,
  hasPendingMails,
  insertPendingMail,
  type ClaimedMail,
} from './pending-mails.repository.js';

export interface MailQueueDeps {
  delivery: MailDelivery;
  /** The shared schema of the service in the database of a site: it also responds after the site's deletion. */
  sharedDatabase: (tenant: Tenant) => Queryable;
  logger: Pick<Logger, 'warn'>;
}

/**
 * Sends mails from the process that queued them. Delivery uses neither Redis nor a worker, so that links arrive while
 * these are unavailable. Each site has its own runner, so that sites do not delay each other. Callers learn neither
 * whether a mail was written nor whether it was sent. `missedMailsRunner` sends the mails of an exited process.
 */
export class MailQueue {
  /** Runners by database and tenant id, of the sites that had mails since the start. One without mails is paused. */
  private readonly runners = new Map<string, WorkQueueRunner<ClaimedMail>>();
  private hasStopped = false;

  constructor(private readonly deps: MailQueueDeps) {}

  /** Whether the installation sends mails. */
  get isConfigured(): boolean {
    return this.deps.delivery.isConfigured;
  }

  /** @throws QuireError EMAIL_NOT_CONFIGURED */
  assertConfigured(): void {
    if (!this.isConfigured)
      throw new QuireError(
        'EMAIL_NOT_CONFIGURED',
        'Mail delivery is not configured; contact the operator of the site',
      );
  }

  /**
   * Queues a mail in the caller's transaction; it is written and sent after the commit. When its share of the queue is
   * full, the mail is dropped; only administrators get an error.
   * @throws QuireError SERVICE_UNAVAILABLE when a mail of an administrator is dropped.
   */
  async add(
    tx: Queryable,
    ctx: Pick<Context, 'principal' | 'db'>,
    { sender = 'public', ...request }: MailRequest & { sender?: MailSender },
  ): Promise<void> {
    const { tenant } = ctx.principal;
    if (await insertPendingMail(tx, { ...request, tenantId: tenant.id }, sender)) {
      afterCommit(tx, () => this.wake(tenant, ctx.db));
      return;
    }
    this.deps.delivery.countRejected();
    this.deps.logger.warn({ tenant: tenant.id, kind: request.kind }, 'mail rejected: queue is full');
    if (sender === 'admin')
      throw new QuireError('SERVICE_UNAVAILABLE', 'The mail queue is full; try again later');
  }

  /** Starts no further delivery and waits for those in progress. */
  async stop(): Promise<void> {
    this.hasStopped = true;
    await Promise.all([...this.runners.values()].map((runner) => runner.stop()));
  }

  /** Sends the pending mails of a site. */
  private wake(tenant: Tenant, db: TransactionalDatabase): void {
    if (this.hasStopped || !this.isConfigured) return;
    const key = `${tenant.database} ${tenant.id}`;
    const runner = this.runners.get(key) ?? this.createRunner(tenant, db);
    this.runners.set(key, runner);
    runner.wake(deliveryDelayMs);
  }

  private createRunner(tenant: Tenant, db: TransactionalDatabase): WorkQueueRunner<ClaimedMail> {
    const { delivery, sharedDatabase, logger } = this.deps;
    const { id: tenantId } = tenant;
    return new WorkQueueRunner({
      databases: [sharedDatabase(tenant)],
      logger,
      table: { claim: (sql, limit) => claimMailsOf(sql, tenantId, limit) },
      process: (sql, mail) => delivery.deliver(sql, db, mail),
      batchSize: 1,
      isEmpty: async (sql) => !(await hasPendingMails(sql, tenantId)),
      failureMessage: 'mail delivery unfinished: retried when its lease ends',
      fieldsOf: ({ kind, attempts }) => ({ tenant: tenantId, kind, attempts }),
      failure: 'mail delivery paused: database unavailable',
    });
  }
}
