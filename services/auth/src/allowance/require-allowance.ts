import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { clientKey, type RateLimit, type RateLimiter } from '@quire/rate-limit';

/** Clients whose address no trusted proxy tells count together; this is how many of them may use all of their share at once. */
const unknownClients = 50;

/**
 * Counts a request against a limit of its client (spec document 1, Limits). Without an address that a trusted proxy told there
 * is no check by client; a ceiling for all such clients of the site together holds instead, so that nothing is without bound.
 * @returns false over the limit.
 */
export async function isAllowed(ctx: Context, limiter: RateLimiter, limit: RateLimit): Promise<boolean> {
  const { id } = ctx.principal.tenant;
  const { allowed } =
    ctx.clientAddress === null
      ? await limiter.consume(ceilingOf(limit), id)
      : await limiter.consume(limit, `${id} ${clientKey(ctx.clientAddress)}`);
  return allowed;
}

/**
 * The same for operations that say so when there is too much.
 * @throws QuireError RATE_LIMITED; Retry-After is the whole window.
 */
export async function requireAllowance(ctx: Context, limiter: RateLimiter, limit: RateLimit): Promise<void> {
  if (await isAllowed(ctx, limiter, limit)) return;
  throw new QuireError('RATE_LIMITED', 'Too many requests; try again later', {
    retryAfterSeconds: limit.windowSeconds,
  });
}

function ceilingOf({ name, limit, windowSeconds }: RateLimit): RateLimit {
  return { name: `${name}-unknown`, limit: limit * unknownClients, windowSeconds };
}
