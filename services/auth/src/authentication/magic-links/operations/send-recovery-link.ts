import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { AuditLog } from '../../../audit/index.js';
import type { LinkOrigins } from '../../../mail/links/index.js';
import type { MailQueue } from '../../../mail/index.js';

/**
 * Has a link sent to a user who cannot sign in otherwise (contract 24). A disabled user gets none.
 * @throws QuireError NOT_FOUND, EMAIL_NOT_CONFIGURED, SERVICE_UNAVAILABLE while no more mails are taken.
 */
export async function sendRecoveryLink(
  ctx: Context,
  { mails, origins, audit }: { mails: MailQueue; origins: LinkOrigins; audit: AuditLog },
  userId: string,
): Promise<void> {
  const origin = await origins.of(ctx);
  await ctx.db.transaction(async (tx) => {
    const [user] = await tx.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]);
    if (!user) throw notFound('user');
    mails.assertConfigured();
    await mails.add(tx, ctx, { kind: 'magic-link', email: user.email, origin, sender: 'admin' });
    const target = { type: 'user', id: userId } as const;
    await audit.record(tx, { by: ctx, action: 'user.recovery-sent', target });
  });
}
