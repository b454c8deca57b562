import type { Queryable } from '@quire/database';
import { pagePaths } from '@quire/ui';
import { ulid } from 'ulid';
import { defaultRoleForDomain } from '../../../users/allowed-domains/index.js';
import { generateLinkToken } from '../../../mail/links/index.js';
import { renderLinkMail, type Mail, type MailRequest } from '../../../mail/index.js';

const lifetimeMinutes = 15;
/** Links that are over stay a while, so that they are told from those that never were. */
const retentionDays = 1;

/**
 * Makes a link to sign up with, and the mail that brings it; null when the domain is not allowed, or somebody has the
 * address already.
 */
export async function writeSignupMail(
  tx: Queryable,
  { email, origin }: Pick<MailRequest, 'email' | 'origin'>,
): Promise<Mail | null> {
  await tx.query(`DELETE FROM signups WHERE expires_at < now() - $1 * interval '1 day'`, [retentionDays]);
  if ((await defaultRoleForDomain(tx, email)) === undefined) return null;
  const { text, hash } = generateLinkToken();
  const made = await tx.query(
    `INSERT INTO signups (token_hash, email, user_id, expires_at)
     SELECT $1, $2, $3, now() + $4 * interval '1 minute' WHERE NOT EXISTS (SELECT 1 FROM users WHERE email = $2)
     RETURNING email`,
    [hash, email, ulid(), lifetimeMinutes],
  );
  if (made.length === 0) return null;
  const { host } = new URL(origin);
  return renderLinkMail({
    to: email,
    subject: `Your account at ${host}`,
    lead: `Follow this link to make your account at ${host}:`,
    label: 'Make my account',
    link: `${origin}${pagePaths.signup}?token=${text}`,
    note: `The link works once, for ${lifetimeMinutes} minutes. If you did not ask for it, ignore this message.`,
  });
}
