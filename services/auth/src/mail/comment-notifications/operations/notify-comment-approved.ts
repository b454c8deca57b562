import type { Context } from '@quire/context';
import type { CommentApproved } from '@quire/jobs';
import type { LinkOrigins } from '../../links/index.js';
import type { MailQueue } from '../../index.js';
import { selectUser } from '../../../users/index.js';

/**
 * Puts the mail about an approved comment into the queue, to the address that the entry's author has now (contract 16).
 * Run twice, it tells them of the comment twice: that is rare, and nothing worse.
 * @returns `disabled` where the installation sends no mail, `no-recipient` when the author is deleted or disabled.
 */
export async function notifyCommentApprovedJob(
  ctx: Context,
  { mails, origins }: { mails: MailQueue; origins: LinkOrigins },
  { authorId, title, path, origin: askedAt }: CommentApproved,
): Promise<'queued' | 'no-recipient' | 'disabled'> {
  if (!mails.isConfigured) return 'disabled';
  const author = await selectUser(ctx.db, authorId);
  if (!author || author.disabled) return 'no-recipient';
  const origin = await origins.of({ origin: askedAt || null });
  const request = { kind: 'comment', email: author.email, origin, subject: { title, path } } as const;
  await ctx.db.transaction((tx) => mails.add(tx, ctx, request));
  return 'queued';
}
