import type { Queryable } from '@quire/database';
import { renderLinkMail, type Mail, type MailRequest } from '../../index.js';

const maxTitleLength = 100;

/**
 * Makes the mail that tells an author of a comment on their entry; null when they were disabled since, or have another
 * address. It says nothing that the commenter wrote: what strangers write does not go out in the site's name.
 */
export async function writeCommentMail(
  tx: Queryable,
  { email, origin, subject }: Pick<MailRequest, 'email' | 'origin' | 'subject'>,
): Promise<Mail | null> {
  const reader = await tx.query('SELECT 1 FROM users WHERE email = $1 AND NOT disabled', [email]);
  if (reader.length === 0) return null;
  const { host } = new URL(origin);
  const entry = named(subject?.title ?? '');
  return renderLinkMail({
    to: email,
    subject: `A comment on ${entry}`,
    lead: `There is a new comment on ${entry} at ${host}.`,
    label: 'Read the entry',
    link: `${origin}${subject?.path || '/'}`,
    note: 'You get this message because you are the author of the entry.',
  });
}

/** An entry as one line: a title may have several, and a subject line has one. */
function named(title: string): string {
  const line = [...title.replaceAll(/\p{Cc}+/gu, ' ').trim()];
  if (line.length === 0) return 'an entry of yours';
  return `“${line.slice(0, maxTitleLength).join('')}${line.length > maxTitleLength ? '…' : ''}”`;
}
