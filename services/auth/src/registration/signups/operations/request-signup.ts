import type { Context } from '@quire/context';
import type { RateLimiter } from '@quire/rate-limit';
import { consumeMailRateLimit, type LinkOrigins } from '../../../mail/links/index.js';
import type { MailQueue } from '../../../mail/index.js';
import { normaliseEmail } from '../../../users/index.js';

/**
 * Has a link sent to somebody who wants an account (contract 28). Whether they may have one is looked up after the
 * answer.
 * @throws QuireError EMAIL_NOT_CONFIGURED, VALIDATION_ERROR for what is no address.
 */
export async function requestSignup(
  ctx: Context,
  { mails, origins, limiter }: { mails: MailQueue; origins: LinkOrigins; limiter: RateLimiter },
  sent: string,
): Promise<void> {
  mails.assertConfigured();
  const email = normaliseEmail(sent);
  if (!(await consumeMailRateLimit(ctx, limiter, { name: 'signup', email }))) return;
  const origin = await origins.of(ctx);
  await ctx.db.transaction((tx) => mails.add(tx, ctx, { kind: 'signup', email, origin }));
}
