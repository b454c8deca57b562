import type { Queryable } from '@quire/database';
import { pagePaths } from '@quire/ui';
import { isActiveUserEmail } from '../../users/index.js';
import { quoted, renderLinkMail, type Mail, type MailRequest } from '../index.js';

export type SecurityMailKind = 'passkey-added' | 'token-created' | 'application-authorised' | 'new-browser';

/** Texts by kind. `name` is quoted after a space, or empty. */
const templates: Record<SecurityMailKind, { subject: string; text: (name: string) => string }> = {
  'passkey-added': {
    subject: 'A new passkey',
    text: (name) => `A new passkey${name} was added to your account`,
  },
  'token-created': {
    subject: 'A new access token',
    text: (name) => `A new personal access token${name} was created for your account`,
  },
  'application-authorised': {
    subject: 'A new application',
    text: (name) =>
      `${name ? `The application${name}` : 'An unregistered application'} was authorised to use your account`,
  },
  'new-browser': {
    subject: 'A sign-in from a new browser',
    text: (name) => `A new browser${name} was used to sign in to your account`,
  },
};

/**
 * Writes the mail about a security event to its user. It contains no secret, and its link needs a session.
 * @returns null when no active user has the address any more.
 */
export async function writeSecurityMail(
  tx: Queryable,
  { kind, email, origin, subject }: Pick<MailRequest, 'email' | 'origin' | 'subject'> & { kind: string },
): Promise<Mail | null> {
  if (!(await isActiveUserEmail(tx, email))) return null;
  const { host } = new URL(origin);
  const template = templates[kind as SecurityMailKind];
  return renderLinkMail({
    to: email,
    subject: `${template.subject} at ${host}`,
    lead: `${template.text(quoted(subject?.title ?? ''))} at ${host}.`,
    label: 'Open your account',
    link: `${origin}${pagePaths.home}`,
    note: 'If this was not you, remove it from your account and contact an administrator of the site.',
  });
}
