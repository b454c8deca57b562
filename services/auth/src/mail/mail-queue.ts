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

/** Writes a mail and creates the link in it, in one transaction; null when the address is to get none. */
export type MailWriter = (tx: Queryable, request: MailRequest) => Promise<Mail | null>;

/** Older requests are dropped: their recipients do not expect the mail any more. */
const maxAgeMs = 3_600_000;

/**
 * Pending mails, sent by the process that queued them: without a queue and a worker, so that links arrive while Redis
 * or the workers are down. Each site has a runner of its own, so that the mails of one delay no other. A caller learns
 * neither whether a mail was written nor whether it was sent. Another process sends the mails of one that ended.
 */
export class MailQueue {
  /** The runners of sites that had mails since the start; one without mails is paused. */
  private readonly runners = new Map<string, WorkQueueRunner<ClaimedMail>>();
  private hasStopped = false;

  constructor(
    private readonly mailer: Mailer,
    private readonly writers: Record<MailKind, MailWriter>,
    private readonly logger: Pick<Logger, 'warn' | 'error'>,
  ) {}

  get isConfigured(): boolean {
    return this.mailer.isConfigured;
  }

  /** @throws QuireError EMAIL_NOT_CONFIGURED */
  assertConfigured(): void {
    if (!this.isConfigured)
      throw new QuireError('EMAIL_NOT_CONFIGURED', 'This site has no mail server; ask its operator');
  }

  /**
   * Queues a mail in the caller's transaction; it is written and sent after the commit. When the queue is full, mails
   * of anonymous requests are dropped silently, and administrators get an error.
   * @throws QuireError SERVICE_UNAVAILABLE when the share of administrators is full.
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

  /** Sends the pending mails of a site, also those that another process left. */
  wake(tenantId: string, db: TransactionalDatabase, delayMs = 0): void {
    if (this.hasStopped || !this.isConfigured) return;
    const runner = this.runners.get(tenantId) ?? this.createRunner(tenantId, db);
    this.runners.set(tenantId, runner);
    runner.wake(delayMs);
  }

  /** Begins no further mail, and waits for those that are being sent. */
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

/** Why delivery failed, without the message of the server, which repeats the address. */
function reasonOf(error: unknown): { code: unknown; responseCode: unknown } {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return { code, responseCode };
}
