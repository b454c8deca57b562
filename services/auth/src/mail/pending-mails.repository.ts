import { hasSqlState, sqlState, type Queryable } from '@quire/database';
import { defineWorkTable, type ClaimOf } from '@quire/work-queue';
import { ulid } from 'ulid';
import type { MailRequest, MailSender } from './mail-request.js';

/**
 * Pending mails of a site before anonymous requests for more are dropped. Administrators, and mails to users about
 * their accounts, have a share of their own.
 */
const maxPending = { public: 800, reserved: 200 };
/** Delays before the second and the third attempt. */
const retryDelaysSeconds = [2, 30];
export const maxAttempts = retryDelaysSeconds.length + 1;
/** Delivery starts after the response was sent, so the response time reveals nothing about the recipient. */
export const deliveryDelayMs = 25;

/**
 * Mails to send: a table of each site, since it holds addresses of the site's users. Those that administrators
 * requested are sent first.
 */
export const pendingMails = defineWorkTable<{ id: string }, MailRequest & { createdAt: string }>({
  name: 'pending_mails',
  key: { id: 'id' },
  payload: {
    kind: 'kind',
    email: 'email',
    origin: 'origin',
    subject: 'subject',
    createdAt: 'created_at',
  },
  order: 'is_by_admin DESC, due_at, id',
  leaseSeconds: 300,
  backoff: (attempts) => retryDelaysSeconds[attempts - 1] ?? 0,
});

/** A mail that this process has claimed. */
export type ClaimedMail = ClaimOf<typeof pendingMails>;

/**
 * Puts a mail into its sender's share of the queue. A pending mail of the same kind to the same recipient, of which no
 * delivery was attempted, stands for this one too, unless the mail is about something in particular; it is then as
 * fresh as this one.
 * @returns false, with nothing stored, when the share is full.
 */
export async function insertPendingMail(
  tx: Queryable,
  { kind, email, origin, subject = null }: MailRequest,
  sender: MailSender,
): Promise<boolean> {
  const isReserved = sender !== 'public';
  const max = isReserved ? maxPending.reserved : maxPending.public;
  const pending =
    subject === null
      ? await tx.query(
          `UPDATE pending_mails SET origin = $3, is_by_admin = is_by_admin OR $4, created_at = now()
           WHERE kind = $1 AND email = $2 AND attempts = 0 AND subject IS NULL RETURNING id`,
          [kind, email, origin, isReserved],
        )
      : [];
  if (pending.length > 0) return true;
  const inserted = await tx.query(
    `INSERT INTO pending_mails (id, kind, email, origin, subject, is_by_admin, due_at)
     SELECT $1, $2, $3, $4, $5, $6, now() + make_interval(secs => $8)
     WHERE (SELECT count(*) FROM pending_mails WHERE is_by_admin = $6) < $7
     RETURNING id`,
    [
      ulid(),
      kind,
      email,
      origin,
      subject && JSON.stringify(subject),
      isReserved,
      max,
      deliveryDelayMs / 1000,
    ],
  );
  return inserted.length > 0;
}

/** Claims the next mail of a site. A deleted site has none. */
export async function claimPendingMail(sql: Queryable): Promise<ClaimedMail[]> {
  return pendingMails.claim(sql, 1).catch(noneIfDeleted);
}

/** Whether a site has mails pending, due or not. A deleted site has none. */
export async function hasPendingMails(sql: Queryable): Promise<boolean> {
  const found = await sql.query('SELECT 1 FROM pending_mails LIMIT 1').catch(noneIfDeleted);
  return found.length > 0;
}

function noneIfDeleted(error: unknown): never[] {
  if (hasSqlState(error, sqlState.undefinedTable)) return [];
  throw error;
}
