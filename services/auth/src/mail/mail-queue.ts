import type { Context } from '@quire/context';
import { afterCommit, type Queryable, type TransactionalDatabase } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { Logger } from '@quire/observability';
import type { MailKind, MailRequest, MailSender } from './mail-request.js';
import type { Mail, Mailer } from './mailer.js';
import {
  claimPendingMail,
  deletePendingMail,
  insertPendingMail,
  reschedulePendingMail,
  type ClaimedMail,
} from './pending-mails.repository.js';

/** Writes a mail and makes the link in it, in one transaction; null when the address is to get none. */
export type MailWriter = (tx: Queryable, request: MailRequest) => Promise<Mail | null>;

/** Delivery starts after the response was sent, so the response time reveals nothing about the recipient. */
const wakeDelayMs = 25;
/** Pauses before the second and the third attempt. */
const retryDelaysMs = [2_000, 30_000];

/**
 * Mails that wait to be sent, a table a tenant. Whoever asks for one learns neither whether it was written nor whether
 * it was sent; what the mail server refuses is tried three times. A process that ends leaves its mails to the next one.
 */
export class MailQueue {
  private readonly timers = new Set<NodeJS.Timeout>();
  /** Tenants whose mails are being sent; true when more came meanwhile. */
  private readonly busy = new Map<string, boolean>();
  private readonly work = new Set<Promise<void>>();
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
   * Puts a mail into the queue, in the caller's transaction; it is written and sent after the commit. When too many
   * wait, what anybody may ask for is left out without a word, and administrators are told.
   * @throws QuireError SERVICE_UNAVAILABLE when the share of administrators is full.
   */
  async add(
    tx: Queryable,
    ctx: Pick<Context, 'principal' | 'db'>,
    { sender = 'public', ...request }: MailRequest & { sender?: MailSender },
  ): Promise<void> {
    const { id } = ctx.principal.tenant;
    if (await insertPendingMail(tx, request, sender)) {
      afterCommit(tx, () => this.scheduleWake(id, ctx.db, wakeDelayMs));
      return;
    }
    this.logger.warn({ tenant: id, kind: request.kind }, 'mail rejected: queue is full');
    if (sender === 'admin')
      throw new QuireError('SERVICE_UNAVAILABLE', 'The mail queue is full; try again later');
  }

  /** Sends what waits in a tenant, for example since another process ended. */
  wake(tenantId: string, db: TransactionalDatabase): void {
    if (this.hasStopped || !this.isConfigured) return;
    if (this.busy.has(tenantId)) {
      this.busy.set(tenantId, true);
      return;
    }
    this.busy.set(tenantId, false);
    const work = this.drain(tenantId, db).finally(() => this.work.delete(work));
    this.work.add(work);
  }

  /** Begins no further mail, and waits for the one that is being sent. */
  async stop(): Promise<void> {
    this.hasStopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    await Promise.all(this.work);
  }

  private scheduleWake(tenantId: string, db: TransactionalDatabase, delayMs: number): void {
    if (this.hasStopped) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.wake(tenantId, db);
    }, delayMs);
    this.timers.add(timer);
  }

  private async drain(tenantId: string, db: TransactionalDatabase): Promise<void> {
    try {
      do {
        this.busy.set(tenantId, false);
        for (let mail = await this.next(db); mail; mail = await this.next(db))
          await this.deliver(tenantId, db, mail);
      } while (this.busy.get(tenantId) && !this.hasStopped);
    } catch (error) {
      this.logger.warn({ tenant: tenantId, err: error }, 'mail delivery paused: database unavailable');
    } finally {
      this.busy.delete(tenantId);
    }
  }

  private async next(db: TransactionalDatabase): Promise<ClaimedMail | undefined> {
    return this.hasStopped ? undefined : claimPendingMail(db);
  }

  private async deliver(tenantId: string, db: TransactionalDatabase, mail: ClaimedMail): Promise<void> {
    const { id, kind, attempts } = mail;
    try {
      if (mail.isFresh && attempts <= retryDelaysMs.length + 1) {
        const written = await db.transaction((tx) => this.writers[kind](tx, mail));
        if (written) await this.mailer.send(written);
      }
      await deletePendingMail(db, id);
    } catch (error) {
      const retryDelay = retryDelaysMs[attempts - 1];
      const fields = { tenant: tenantId, kind, attempts, ...reasonOf(error) };
      if (retryDelay === undefined) {
        this.logger.error(fields, 'mail delivery failed: giving up');
        await deletePendingMail(db, id);
      } else {
        this.logger.warn(fields, 'mail delivery failed: retry scheduled');
        await reschedulePendingMail(db, id, retryDelay);
        // Due by the clock of the database, not a moment before it.
        this.scheduleWake(tenantId, db, retryDelay + wakeDelayMs);
      }
    }
  }
}

/** Why a mail was not taken, without the words of the server: they repeat the address. */
function reasonOf(error: unknown): { code: unknown; responseCode: unknown } {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return { code, responseCode };
}
