import { hasSqlState, sqlState, type Queryable } from '@quire/database';
import { defineWorkTable, type ClaimOf } from '@quire/work-queue';
import { ulid } from '@quire/values';
import type { MailRequest, MailSender } from './mail-request.js';

/**
 * Maximum pending mails of a site. Mails that administrators request, and mails to users about their accounts, have a
 * reserved share.
 */
const maxPending = { public: 800, reserved: 200 };
/** Delays before the second and the third attempt. */
const retryDelaysSeconds = [2, 30];

/** The attempts to deliver a mail, the first included. */
export const maxAttempts = retryDelaysSeconds.length + 1;

/** Delivery starts after the response was sent, so the response time reveals nothing about the recipient. */
export const deliveryDelayMs = 25;

/**
 * Pending mails. The table is in the schema of each site, since it contains addresses of users. Mails of the reserved
 * share are sent first.
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
 * Inserts a mail into its sender's share of the queue. A mail without a subject replaces the pending mail of the same
 * kind to the same recipient, unless its delivery was attempted: the pending mail gets the new origin and time.
 * @returns false, with nothing changed, when the share is full.
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

/** Claims the next mail of a site. @returns an empty list when none is due, or the site is deleted. */
export async function claimPendingMail(sql: Queryable): Promise<ClaimedMail[]> {
  return pendingMails.claim(sql, 1).catch(noneIfDeleted);
}

/** Whether a site has pending mails, due or not; false for a deleted site. */
export async function hasPendingMails(sql: Queryable): Promise<boolean> {
  const found = await sql.query('SELECT 1 FROM pending_mails LIMIT 1').catch(noneIfDeleted);
  return found.length > 0;
}

function noneIfDeleted(error: unknown): never[] {
  if (hasSqlState(error, sqlState.undefinedTable)) return [];
  throw error;
}
