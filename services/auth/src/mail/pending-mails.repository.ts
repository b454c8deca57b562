import { identifier, type Queryable } from '@quire/database';
import { sharedSchema } from '@quire/tenancy';
import { ulid } from '@quire/values';
import { defineWorkTable, type ClaimOf } from '@quire/work-queue';
import type { MailRequest, MailSender } from './mail-request.js';

/** Table of the service's shared schema, for statements that run in a tenant's. */
const table = `${identifier(sharedSchema('auth'))}.pending_mails`;

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

/** Time for which a mail has been due when other processes take over from the one that queued it. */
const gracePeriodSeconds = 5;

/**
 * Requested mails that are not sent yet, of all sites of a database. They contain no link: the link is created when the
 * mail is written. Mails of the reserved share (`is_by_admin`) are sent first.
 */
export const pendingMails = defineWorkTable<
  { tenantId: string; id: string },
  MailRequest & { createdAt: string }
>({
  name: table,
  key: { tenantId: 'tenant_id', id: 'id' },
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
 * Inserts a mail into its sender's share of the site's queue. A mail without a subject replaces the pending mail of the
 * same kind to the same recipient, unless its delivery was attempted: the pending mail gets the new origin and time.
 * @returns false, with nothing changed, when the share is full.
 */
export async function insertPendingMail(
  tx: Queryable,
  { tenantId, kind, email, origin, subject = null }: MailRequest & { tenantId: string },
  sender: MailSender,
): Promise<boolean> {
  const isReserved = sender !== 'public';
  const max = isReserved ? maxPending.reserved : maxPending.public;
  const pending =
    subject === null
      ? await tx.query(
          `UPDATE ${table} SET origin = $4, is_by_admin = is_by_admin OR $5, created_at = now()
           WHERE tenant_id = $1 AND kind = $2 AND email = $3 AND attempts = 0 AND subject IS NULL RETURNING id`,
          [tenantId, kind, email, origin, isReserved],
        )
      : [];
  if (pending.length > 0) return true;
  const inserted = await tx.query(
    `INSERT INTO ${table} (tenant_id, id, kind, email, origin, subject, is_by_admin, due_at)
     SELECT $1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $9)
     WHERE (SELECT count(*) FROM ${table} WHERE tenant_id = $1 AND is_by_admin = $7) < $8
     RETURNING id`,
    [
      tenantId,
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

/** Claims due mails of a site. @returns an empty list when none is due, or the site is deleted */
export function claimMailsOf(sql: Queryable, tenantId: string, limit: number): Promise<ClaimedMail[]> {
  return pendingMails.claimWith(sql, { tenantId }, limit);
}

/** Claims mails of all sites that the process which queued them did not send in time. */
export function claimMissedMails(sql: Queryable, limit: number): Promise<ClaimedMail[]> {
  return pendingMails.claimOverdue(sql, gracePeriodSeconds, limit);
}

/** Whether a site has pending mails, due or not. */
export async function hasPendingMails(sql: Queryable, tenantId: string): Promise<boolean> {
  return (await sql.query(`SELECT 1 FROM ${table} WHERE tenant_id = $1 LIMIT 1`, [tenantId])).length > 0;
}
