import type { Queryable } from '@quire/database';
import { renderLinkMail, type Mail, type MailRequest } from '../../../mail/index.js';
import { linkMinutes, createMagicLink } from './create-magic-link.js';

/**
 * Makes a link that signs its user in, and the mail that brings it; null when nobody who may sign in has the address.
 */
export async function writeMagicLinkMail(
  tx: Queryable,
  { email, origin }: Pick<MailRequest, 'email' | 'origin'>,
): Promise<Mail | null> {
  const made = await createMagicLink(tx, { email, origin });
  if (!made) return null;
  const { host } = new URL(origin);
  return renderLinkMail({
    to: email,
    subject: `Sign in to ${host}`,
    lead: `Follow this link to sign in to ${host}:`,
    label: 'Sign in',
    link: made.link,
    note: `The link works once, for ${linkMinutes} minutes. If you did not ask for it, ignore this message.`,
  });
}
