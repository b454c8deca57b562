import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import type { CommentApproved } from '@quire/jobs';
import { isActiveUserEmail, selectUser } from '../../users/index.js';
import { renderLinkMail, type Mail, type MailQueue, type MailRequest } from '../index.js';
import type { LinkOrigins } from '../links/index.js';

const maxTitleLength = 100;

/**
 * Queues the mail about an approved comment to the current address of the entry's author (contract 16). A second run
 * queues a second mail, which is rare and harmless.
 * @returns `disabled` where the installation sends no mail, `no-recipient` when the author is deleted or disabled.
 */
export async function notifyCommentApprovedJob(
  ctx: Context,
  { mails, origins }: { mails: MailQueue; origins: LinkOrigins },
  { authorId, title, path, origin: requestOrigin }: CommentApproved,
): Promise<'queued' | 'no-recipient' | 'disabled'> {
  if (!mails.isConfigured) return 'disabled';
  const author = await selectUser(ctx.db, authorId);
  if (!author || author.disabled) return 'no-recipient';
  const origin = await origins.of({ origin: requestOrigin || null });
  const request = { kind: 'comment', email: author.email, origin, subject: { title, path } } as const;
  await ctx.db.transaction((tx) => mails.add(tx, ctx, request));
  return 'queued';
}

/**
 * Writes the mail about a comment to the author of the entry. It quotes nothing from the comment, so that strangers
 * cannot send text in the name of the site.
 * @returns null when no active user has the address any more.
 */
export async function writeCommentMail(
  tx: Queryable,
  { email, origin, subject }: Pick<MailRequest, 'email' | 'origin' | 'subject'>,
): Promise<Mail | null> {
  if (!(await isActiveUserEmail(tx, email))) return null;
  const { host } = new URL(origin);
  const entry = toEntryName(subject?.title ?? '');
  return renderLinkMail({
    to: email,
    subject: `A comment on ${entry}`,
    lead: `There is a new comment on ${entry} at ${host}.`,
    label: 'Read the entry',
    link: `${origin}${subject?.path || '/'}`,
    note: 'You receive this message because you are the author of the entry.',
  });
}

/** The quoted title of an entry in one line: a title can have line breaks, the subject of a mail cannot. */
function toEntryName(title: string): string {
  const line = [...title.replaceAll(/\p{Cc}+/gu, ' ').trim()];
  if (line.length === 0) return 'one of your entries';
  return `“${line.slice(0, maxTitleLength).join('')}${line.length > maxTitleLength ? '…' : ''}”`;
}
