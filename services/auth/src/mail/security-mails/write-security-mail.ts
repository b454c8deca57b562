import type { Queryable } from '@quire/database';
import { pagePaths } from '@quire/ui';
import { renderLinkMail, type Mail, type MailRequest } from '../index.js';

export type SecurityMailKind = 'passkey-added' | 'token-created' | 'application-authorised' | 'new-browser';

const maxNameLength = 100;

/** What was done, and the name of what it was done with where it has one. */
const templates: Record<SecurityMailKind, { subject: string; text: (name: string) => string }> = {
  'passkey-added': {
    subject: 'A new passkey',
    text: (name) => `A new passkey${name} signs in to your account`,
  },
  'token-created': {
    subject: 'A new access token',
    text: (name) => `A new personal access token${name} was made for your account`,
  },
  'application-authorised': {
    subject: 'A new application',
    text: (name) => `The application${name || ', which is not registered,'} may use your account now`,
  },
  'new-browser': {
    subject: 'A sign-in from a new browser',
    text: (name) => `Somebody signed in to your account with a browser that is new${name}`,
  },
};

/**
 * Makes the mail that tells a user what was done in their name; null when they were disabled since, or have another
 * address. It holds no secret, and its link opens nothing.
 */
export async function writeSecurityMail(
  tx: Queryable,
  { kind, email, origin, subject }: Pick<MailRequest, 'email' | 'origin' | 'subject'> & { kind: string },
): Promise<Mail | null> {
  const reader = await tx.query('SELECT 1 FROM users WHERE email = $1 AND NOT disabled', [email]);
  if (reader.length === 0) return null;
  const { host } = new URL(origin);
  const template = templates[kind as SecurityMailKind];
  return renderLinkMail({
    to: email,
    subject: `${template.subject} at ${host}`,
    lead: `${template.text(quoted(subject?.title ?? ''))} at ${host}.`,
    label: 'Look at your account',
    link: `${origin}${pagePaths.home}`,
    note: 'If that was not you, remove what you do not know and tell an administrator of the site.',
  });
}

/** A name as one line, or nothing where there is none. */
function quoted(name: string): string {
  const line = [...name.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trim()];
  if (line.length === 0) return '';
  return ` “${line.slice(0, maxNameLength).join('')}${line.length > maxNameLength ? '…' : ''}”`;
}
