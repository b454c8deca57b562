import type { Queryable, TransactionalDatabase } from '@quire/database';
import type { Logger } from '@quire/observability';
import { WorkQueueRunner } from '@quire/work-queue';
import type { MailDelivery } from './mail-delivery.js';
import { claimMissedMails, pendingMails, type ClaimedMail } from './pending-mails.repository.js';

export interface MissedMailsDeps {
  /** The shared schema of each database of the service. */
  databases: readonly Queryable[];
  delivery: MailDelivery;
  /** The schema of a site, or undefined when the site is deleted. */
  tenantDatabase: (tenantId: string) => Promise<TransactionalDatabase | undefined>;
  logger: Pick<Logger, 'warn'>;
}

/**
 * Sends mails that the process which queued them has not sent, because it ended or has too many. A claim
 * takes one mail, so that an attempt ends within its lease.
 */
export function missedMailsRunner({
  databases,
  delivery,
  tenantDatabase,
  logger,
}: MissedMailsDeps): WorkQueueRunner<ClaimedMail> {
  return new WorkQueueRunner({
    databases,
    logger,
    table: { claim: claimMissedMails },
    batchSize: 1,
    process: async (sql, mail) => {
      const db = await tenantDatabase(mail.tenantId);
      if (db) await delivery.deliver(sql, db, mail);
      else await pendingMails.complete(sql, mail);
    },
    failureMessage: 'mail delivery unfinished: retried when its lease ends',
    fieldsOf: ({ tenantId, kind, attempts }) => ({ tenant: tenantId, kind, attempts }),
    failure: 'sweep of pending mails failed',
  });
}
