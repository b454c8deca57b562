import type { Sql } from '@quire/database';
import { ulid } from 'ulid';
import type { MailRequest } from './mail-queue.js';

export interface ClaimedMail extends MailRequest {
  id: string;
  /** This one counted. */
  attempts: number;
  /** False when nobody waits for it any more. */
  isFresh: boolean;
}

/** More than that wait only when somebody floods the site. */
const maximumWaiting = 1_000;
const leaseMinutes = 5;
const freshMinutes = 60;

export async function insertPendingMail(
  sql: Sql,
  { kind, email, origin, subject = null }: MailRequest,
): Promise<void> {
  await sql.query(
    `INSERT INTO pending_mails (id, kind, email, origin, subject)
     SELECT $1, $2, $3, $4, $5 WHERE (SELECT count(*) FROM pending_mails) < $6`,
    [ulid(), kind, email, origin, subject && JSON.stringify(subject), maximumWaiting],
  );
}

/** Takes the mail that has been due longest: for some minutes nobody else gets it. */
export async function claimPendingMail(sql: Sql): Promise<ClaimedMail | undefined> {
  const [claimed] = await sql.query<ClaimedMail>(
    `UPDATE pending_mails SET attempts = attempts + 1, due_at = now() + $1 * interval '1 minute'
     WHERE id = (SELECT id FROM pending_mails WHERE due_at <= now() ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id, kind, email, origin, subject, attempts, created_at > now() - $2 * interval '1 minute' AS "isFresh"`,
    [leaseMinutes, freshMinutes],
  );
  return claimed;
}

export async function deletePendingMail(sql: Sql, id: string): Promise<void> {
  await sql.query('DELETE FROM pending_mails WHERE id = $1', [id]);
}

export async function postponePendingMail(sql: Sql, id: string, delayMs: number): Promise<void> {
  await sql.query(`UPDATE pending_mails SET due_at = now() + $2 * interval '1 millisecond' WHERE id = $1`, [
    id,
    delayMs,
  ]);
}
