import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { clientKey, type RateLimit, type RateLimiter } from '@quire/rate-limit';

/**
 * Counts a request against a limit of its client (spec document 1, Limits). Without an address that a trusted proxy told,
 * nothing is counted.
 * @throws QuireError RATE_LIMITED; Retry-After is the whole window.
 */
export async function requireAllowance(ctx: Context, limiter: RateLimiter, limit: RateLimit): Promise<void> {
  if (ctx.clientAddress === null) return;
  const key = `${ctx.principal.tenant.id} ${clientKey(ctx.clientAddress)}`;
  const { allowed } = await limiter.consume(limit, key);
  if (!allowed) {
    throw new QuireError('RATE_LIMITED', 'Too many requests; try again later', {
      retryAfterSeconds: limit.windowSeconds,
    });
  }
}
