import type { Context } from '@quire/context';
import type { RateLimit, RateLimiter } from '@quire/rate-limit';
import { consumeRateLimit } from '../../rate-limits/index.js';

const windowSeconds = 300;
const perClient = 3;
/** Applies to the requests of all clients together, to protect the mailbox. */
const perRecipient = 5;

/**
 * Counts a mail request of an anonymous client against the limits by client and by recipient (contract 4).
 * @returns false over a limit: the caller then sends no mail, and its response is the same.
 */
export async function consumeMailRateLimit(
  ctx: Context,
  limiter: RateLimiter,
  { name, email }: { name: string; email: string },
): Promise<boolean> {
  if (!(await consumeRateLimit(ctx, limiter, { name, limit: perClient, windowSeconds }))) return false;
  const byRecipient: RateLimit = { name: `${name}-to`, limit: perRecipient, windowSeconds };
  return (await limiter.consume(byRecipient, `${ctx.principal.tenant.id} ${email}`)).allowed;
}
