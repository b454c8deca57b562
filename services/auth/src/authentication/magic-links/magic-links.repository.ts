import type { Queryable, Row } from '@quire/database';
import type { MagicLink } from './magic-link.entity.js';

/** Lifetime of a link (spec document 1, Limits). */
export const linkMinutes = 15;

/** Days for which expired links are kept: their error differs from that of unknown links. */
const retentionDays = 1;

/** Inserts a link for the active user of an address. @returns undefined when there is none. */
export async function insertMagicLink(
  tx: Queryable,
  { tokenHash, email }: Pick<Row<MagicLink>, 'tokenHash' | 'email'>,
): Promise<{ userId: string } | undefined> {
  const [inserted] = await tx.query<{ userId: string }>(
    `INSERT INTO magic_links (token_hash, user_id, email, expires_at)
     SELECT $1, id, email, now() + $3 * interval '1 minute' FROM users WHERE email = $2 AND NOT disabled
     RETURNING user_id AS "userId"`,
    [tokenHash, email, linkMinutes],
  );
  return inserted;
}

/** Deletes a valid link whose user still has its address. @returns the user's id; undefined when there is none. */
export async function consumeMagicLink(tx: Queryable, hash: string): Promise<string | undefined> {
  const [link] = await tx.query<{ userId: string }>(
    `DELETE FROM magic_links l USING users u
     WHERE l.token_hash = $1 AND l.expires_at > now() AND u.id = l.user_id AND u.email = l.email
     RETURNING l.user_id AS "userId"`,
    [hash],
  );
  return link?.userId;
}

/** Whether there is an expired link with this token hash. */
export async function isExpiredMagicLink(tx: Queryable, hash: string): Promise<boolean> {
  const expired = await tx.query(
    'SELECT 1 AS found FROM magic_links WHERE token_hash = $1 AND expires_at <= now()',
    [hash],
  );
  return expired.length > 0;
}

/** Deletes the links that expired more than `retentionDays` ago. */
export async function deleteExpiredMagicLinks(tx: Queryable): Promise<void> {
  await tx.query(`DELETE FROM magic_links WHERE expires_at < now() - $1 * interval '1 day'`, [retentionDays]);
}

/** Stores that a user's address is verified. */
export async function updateEmailVerified(tx: Queryable, userId: string): Promise<void> {
  await tx.query('UPDATE users SET email_verified = true WHERE id = $1 AND NOT email_verified', [userId]);
}
