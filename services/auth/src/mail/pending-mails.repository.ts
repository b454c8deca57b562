import type { Queryable } from '@quire/database';
import { ulid } from 'ulid';
import type { MailRequest, MailSender } from './mail-request.js';

export interface ClaimedMail extends MailRequest {
  id: string;
  /** This one counted. */
  attempts: number;
  /** False when nobody waits for it any more. */
  isFresh: boolean;
}

/**
 * More than that wait only when somebody floods the site. What administrators ask for, and what users are told, has a
 * share of its own.
 */
const maxPending = { public: 800, reserved: 200 };
const leaseMinutes = 5;
const maxAgeMinutes = 60;

/**
 * Puts a mail into its sender's share of the queue. A mail of the same kind to the same recipient that nobody has begun
 * to write stands for this one too, unless it is about something in particular: it is then written as late as asked
 * for.
 * @returns false, with nothing stored, when the share is full.
 */
export async function insertPendingMail(
  tx: Queryable,
  { kind, email, origin, subject = null }: MailRequest,
  sender: MailSender,
): Promise<boolean> {
  const isReserved = sender !== 'public';
  const max = isReserved ? maxPending.reserved : maxPending.public;
  const waiting =
    subject === null
      ? await tx.query(
          `UPDATE pending_mails SET origin = $3, is_by_admin = is_by_admin OR $4, created_at = now()
           WHERE kind = $1 AND email = $2 AND attempts = 0 AND subject IS NULL RETURNING id`,
          [kind, email, origin, isReserved],
        )
      : [];
  if (waiting.length > 0) return true;
  const inserted = await tx.query(
    `INSERT INTO pending_mails (id, kind, email, origin, subject, is_by_admin)
     SELECT $1, $2, $3, $4, $5, $6 WHERE (SELECT count(*) FROM pending_mails WHERE is_by_admin = $6) < $7
     RETURNING id`,
    [ulid(), kind, email, origin, subject && JSON.stringify(subject), isReserved, max],
  );
  return inserted.length > 0;
}

/** Takes the mail that has been due longest, those of administrators first: for some minutes nobody else gets it. */
export async function claimPendingMail(sql: Queryable): Promise<ClaimedMail | undefined> {
  const [claimed] = await sql.query<ClaimedMail>(
    `UPDATE pending_mails SET attempts = attempts + 1, due_at = now() + $1 * interval '1 minute'
     WHERE id = (SELECT id FROM pending_mails WHERE due_at <= now() 
       ORDER BY is_by_admin DESC, due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id, kind, email, origin, subject, attempts, created_at > now() - $2 * interval '1 minute' AS "isFresh"`,
    [leaseMinutes, maxAgeMinutes],
  );
  return claimed;
}

export async function deletePendingMail(sql: Queryable, id: string): Promise<void> {
  await sql.query('DELETE FROM pending_mails WHERE id = $1', [id]);
}

export async function reschedulePendingMail(sql: Queryable, id: string, delayMs: number): Promise<void> {
  await sql.query(`UPDATE pending_mails SET due_at = now() + $2 * interval '1 millisecond' WHERE id = $1`, [
    id,
    delayMs,
  ]);
}
