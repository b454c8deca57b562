import type { Context } from '@quire/context';
import type { RateLimit, RateLimiter } from '@quire/rate-limit';
import { consumeRateLimit } from '../../rate-limits/index.js';

const windowSeconds = 300;
const perClient = 3;
/** Counts the requests of all clients, so that no mailbox is flooded. */
const perRecipient = 5;

/**
 * Counts a mail that an anonymous client requests (contract 4).
 * @returns false over the limit: then no mail is sent, and the response is the same.
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
