import type { Sql } from '@quire/database';
import { newLinkToken } from '../../links/index.js';
import { writeLinkMail, type Mail, type MailRequest } from '../../mail/index.js';

const lifetimeMinutes = 15;
/** Links that are over stay a while, so that they are told from those that never were. */
const keptDays = 1;

/** Makes a link that signs its user in, and the mail that brings it; null when nobody who may sign in has the address. */
export async function writeMagicLinkMail(
  tx: Sql,
  { email, origin }: Pick<MailRequest, 'email' | 'origin'>,
): Promise<Mail | null> {
  const { text, hash } = newLinkToken();
  await tx.query(`DELETE FROM magic_links WHERE expires_at < now() - $1 * interval '1 day'`, [keptDays]);
  const made = await tx.query(
    `INSERT INTO magic_links (token_hash, user_id, email, expires_at)
     SELECT $1, id, email, now() + $3 * interval '1 minute' FROM users WHERE email = $2 AND NOT disabled
     RETURNING user_id`,
    [hash, email, lifetimeMinutes],
  );
  if (made.length === 0) return null;
  const { host } = new URL(origin);
  return writeLinkMail({
    to: email,
    subject: `Sign in to ${host}`,
    lead: `Follow this link to sign in to ${host}:`,
    label: 'Sign in',
    link: `${origin}/_cms/api/auth/magic-link/verify?token=${text}`,
    note: `The link works once, for ${lifetimeMinutes} minutes. If you did not ask for it, ignore this message.`,
  });
}
