import type { Queryable, TransactionalDatabase } from '@quire/database';
import type { Logger } from '@quire/observability';
import type { MailKind, MailRequest } from './mail-request.js';
import type { Mail, Mailer, Sender } from './mailer.js';
import { maxAttempts, pendingMails, type ClaimedMail } from './pending-mails.repository.js';

/** Writes a mail and creates its link, in one transaction. @returns null when the address gets no mail. */
export type MailWriter = (tx: Queryable, request: MailRequest) => Promise<Mail | null>;

/** What became of a pending mail: `skipped` when its address gets no mail, `rejected` when the queue was full. */
export type MailOutcome = 'sent' | 'skipped' | 'retried' | 'failed' | 'expired' | 'rejected';

export interface MailDeliveryDeps {
  mailer: Mailer;
  writers: Record<MailKind, MailWriter>;
  logger: Pick<Logger, 'warn' | 'error'>;
  /** The sender of the mails of a site; undefined for that of the installation. */
  senderOf?: (tenantId: string) => Promise<Sender | undefined>;
  /** Counts the outcomes. */
  onOutcome?: (outcome: MailOutcome) => void;
}

/** Older requests are dropped: their recipients no longer expect the mail. */
const maxAgeMs = 3_600_000;

/** Sends claimed mails. */
export class MailDelivery {
  constructor(private readonly deps: MailDeliveryDeps) {}

  /** Whether the installation sends mails. */
  get isConfigured(): boolean {
    return this.deps.mailer.isConfigured;
  }

  /** Counts a mail that was not queued. */
  countRejected(): void {
    this.deps.onOutcome?.('rejected');
  }

  /**
   * Sends a claimed mail once, then deletes it or schedules a retry. Mails that are too old are deleted unsent.
   * @param sql reaches the table of pending mails
   * @param db the site's schema
   */
  async deliver(sql: Queryable, db: TransactionalDatabase, mail: ClaimedMail): Promise<void> {
    const outcome = await this.attempt(db, mail);
    this.deps.onOutcome?.(outcome);
    if (outcome === 'retried') await pendingMails.reschedule(sql, mail);
    else await pendingMails.complete(sql, mail);
  }

  private async attempt(db: TransactionalDatabase, mail: ClaimedMail): Promise<MailOutcome> {
    const { mailer, writers, senderOf, logger } = this.deps;
    const { tenantId, kind, attempts, createdAt } = mail;
    const fields = { tenant: tenantId, kind, attempts };
    const ageMs = Date.now() - Date.parse(createdAt);
    if (ageMs >= maxAgeMs) {
      logger.warn({ ...fields, ageMs }, 'mail expired: it was not sent within an hour');
      return 'expired';
    }
    if (attempts > maxAttempts) {
      logger.error(fields, 'mail delivery failed: every attempt was interrupted');
      return 'failed';
    }
    try {
      const written = await db.transaction((tx) => writers[kind](tx, mail));
      if (!written) return 'skipped';
      await mailer.send({ ...written, from: await senderOf?.(tenantId) });
      return 'sent';
    } catch (error) {
      const willRetry = attempts < maxAttempts;
      if (willRetry) logger.warn({ ...fields, ...reasonOf(error) }, 'mail delivery failed: retry scheduled');
      else logger.error({ ...fields, ...reasonOf(error) }, 'mail delivery failed: giving up');
      return willRetry ? 'retried' : 'failed';
    }
  }
}

/** The codes of a failed delivery. The server's message is not logged: it repeats the address. */
function reasonOf(error: unknown): { code: unknown; responseCode: unknown } {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return { code, responseCode };
}
