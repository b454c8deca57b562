import type { Context } from '@quire/context';
import type { RateLimiter } from '@quire/rate-limit';
import { consumeMailRateLimit, type LinkOrigins } from '../../../mail/links/index.js';
import type { MailQueue } from '../../../mail/index.js';
import { normaliseEmail } from '../../../users/index.js';

/**
 * Has a link sent to a user (contract 28). Whether there is one of that address is looked up after the answer.
 * @throws QuireError EMAIL_NOT_CONFIGURED, VALIDATION_ERROR for what is no address.
 */
export async function sendMagicLink(
  ctx: Context,
  { mails, origins, limiter }: { mails: MailQueue; origins: LinkOrigins; limiter: RateLimiter },
  sent: string,
): Promise<void> {
  mails.assertConfigured();
  const email = normaliseEmail(sent);
  if (!(await consumeMailRateLimit(ctx, limiter, { name: 'magic-link', email }))) return;
  const origin = await origins.of(ctx);
  await ctx.db.transaction((tx) => mails.add(tx, ctx, { kind: 'magic-link', email, origin }));
}
