import type { Context } from '@quire/context';
import { afterCommit, type Queryable, type TransactionalDatabase } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { Logger } from '@quire/observability';
import { WorkQueueRunner } from '@quire/work-queue';
import type { MailKind, MailRequest, MailSender } from './mail-request.js';
import type { Mail, Mailer } from './mailer.js';
import {
  claimPendingMail,
  deliveryDelayMs,
  hasPendingMails,
  insertPendingMail,
  maxAttempts,
  pendingMails,
  type ClaimedMail,
} from './pending-mails.repository.js';

/** Writes a mail and creates its link, in one transaction. @returns null when the address gets no mail. */
export type MailWriter = (tx: Queryable, request: MailRequest) => Promise<Mail | null>;

/** Older requests are dropped: their recipients no longer expect the mail. */
const maxAgeMs = 3_600_000;

/**
 * Sends mails from the process that queued them. Delivery uses neither Redis nor a worker, so that links arrive while
 * these are unavailable. Each site has its own runner, so that sites do not delay each other. Callers learn neither
 * whether a mail was written nor whether it was sent. Mails of an exited process are sent by another process.
 */
export class MailQueue {
  /** Runners by tenant id, of the sites that had mails since the start. A runner without mails is paused. */
  private readonly runners = new Map<string, WorkQueueRunner<ClaimedMail>>();
  private hasStopped = false;

  constructor(
    private readonly mailer: Mailer,
    private readonly writers: Record<MailKind, MailWriter>,
    private readonly logger: Pick<Logger, 'warn' | 'error'>,
  ) {}

  /** Whether the installation sends mails. */
  get isConfigured(): boolean {
    return this.mailer.isConfigured;
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
    const { id } = ctx.principal.tenant;
    if (await insertPendingMail(tx, request, sender)) {
      afterCommit(tx, () => this.wake(id, ctx.db, deliveryDelayMs));
      return;
    }
    this.logger.warn({ tenant: id, kind: request.kind }, 'mail rejected: queue is full');
    if (sender === 'admin')
      throw new QuireError('SERVICE_UNAVAILABLE', 'The mail queue is full; try again later');
  }

  /** Starts sending the pending mails of a site, including those of exited processes. */
  wake(tenantId: string, db: TransactionalDatabase, delayMs = 0): void {
    if (this.hasStopped || !this.isConfigured) return;
    const runner = this.runners.get(tenantId) ?? this.createRunner(tenantId, db);
    this.runners.set(tenantId, runner);
    runner.wake(delayMs);
  }

  /** Starts no further delivery and waits for those in progress. */
  async stop(): Promise<void> {
    this.hasStopped = true;
    await Promise.all([...this.runners.values()].map((runner) => runner.stop()));
  }

  private createRunner(tenantId: string, db: TransactionalDatabase): WorkQueueRunner<ClaimedMail> {
    return new WorkQueueRunner({
      databases: [db],
      logger: this.logger,
      table: { claim: claimPendingMail },
      process: (_, mail) => this.deliver(tenantId, db, mail),
      batchSize: 1,
      isEmpty: async () => !(await hasPendingMails(db)),
      failureMessage: 'mail delivery unfinished: retried when its lease ends',
      fieldsOf: ({ kind, attempts }) => ({ tenant: tenantId, kind, attempts }),
      failure: 'mail delivery paused: database unavailable',
    });
  }

  /** Sends a claimed mail once, then deletes it or schedules a retry. Mails that are too old are deleted unsent. */
  private async deliver(tenantId: string, db: TransactionalDatabase, mail: ClaimedMail): Promise<void> {
    const { kind, attempts, createdAt } = mail;
    const isFresh = Date.now() - Date.parse(createdAt) < maxAgeMs;
    try {
      if (isFresh && attempts <= maxAttempts) {
        const written = await db.transaction((tx) => this.writers[kind](tx, mail));
        if (written) await this.mailer.send(written);
      }
    } catch (error) {
      const fields = { tenant: tenantId, kind, attempts, ...reasonOf(error) };
      if (attempts < maxAttempts) {
        this.logger.warn(fields, 'mail delivery failed: retry scheduled');
        await pendingMails.reschedule(db, mail);
        return;
      }
      this.logger.error(fields, 'mail delivery failed: giving up');
    }
    await pendingMails.complete(db, mail);
  }
}

/** The codes of a failed delivery. The server's message is not logged: it repeats the address. */
function reasonOf(error: unknown): { code: unknown; responseCode: unknown } {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return { code, responseCode };
}
