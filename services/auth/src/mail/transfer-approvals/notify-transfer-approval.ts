import type { Context } from '@quire/context';
import { dateOf, type TransferApprovalRequested } from '@quire/jobs';
import type { RateLimiter } from '@quire/rate-limit';
import { pagePaths } from '@quire/ui';
import { selectTokenNames } from '../../authentication/credentials/index.js';
import { selectAdminEmails, selectUser } from '../../users/index.js';
import type { MailQueue, MailRequest } from '../index.js';
import type { LinkOrigins } from '../links/index.js';

/** Protects the mailboxes from a token that makes one request after the other. */
const perRecipient = { name: 'transfer-approval-to', limit: 5, windowSeconds: 300 } as const;

/**
 * Queues a mail to every active administrator about a request to approve a site transfer. A request
 * has one message, and a message one job. A second run of the job queues second mails, which is rare and harmless.
 * @returns `disabled` where the installation sends no mail, `expired` when the request can no longer be approved,
 *   `no-recipient` when all administrators are over their limit
 */
export async function notifyTransferApprovalJob(
  ctx: Context,
  { mails, origins, limiter }: { mails: MailQueue; origins: LinkOrigins; limiter: RateLimiter },
  message: TransferApprovalRequested,
): Promise<'queued' | 'no-recipient' | 'expired' | 'disabled'> {
  if (!mails.isConfigured) return 'disabled';
  const { expiresAt } = message;
  if (expiresAt === undefined || dateOf(expiresAt).getTime() <= Date.now()) return 'expired';
  const tenantId = ctx.principal.tenant.id;
  const recipients: string[] = [];
  for (const email of await selectAdminEmails(ctx.db))
    if ((await limiter.consume(perRecipient, `${tenantId} ${email}`)).allowed) recipients.push(email);
  if (recipients.length === 0) return 'no-recipient';
  const origin = await origins.of({ origin: message.origin || null });
  const subject = await subjectOf(ctx, message, dateOf(expiresAt));
  await ctx.db.transaction(async (tx) => {
    for (const email of recipients)
      await mails.add(tx, ctx, { kind: 'transfer-approval', email, origin, subject, sender: 'site' });
  });
  return 'queued';
}

/** The names in the mail. A user or token that is deleted by now has none. */
async function subjectOf(
  ctx: Context,
  { action, userId, tokenId }: TransferApprovalRequested,
  expiresAt: Date,
): Promise<NonNullable<MailRequest['subject']>> {
  const [user, [token]] = await Promise.all([
    selectUser(ctx.db, userId),
    selectTokenNames(ctx.db, [tokenId]),
  ]);
  return {
    title: token?.name ?? '',
    path: pagePaths.transfer,
    approval: {
      action: action === 'import' ? 'import' : 'export',
      requestedBy: user?.name ?? user?.email ?? '',
      expiresAt: expiresAt.toISOString(),
    },
  };
}
