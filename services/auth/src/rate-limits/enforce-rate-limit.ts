import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { consumeAsClient, type RateLimit, type RateLimiter } from '@quire/rate-limit';

/**
 * Clients whose address is not known count together; this is how many of them may use all of their share at
 * once.
 */
const unknownClients = 50;

/**
 * Counts a request against a limit of its client (spec document 1, Limits; decision 55). Clients whose
 * address is not known share a ceiling of the site, so that nothing is without bound.
 * @returns false over the limit.
 */
export async function consumeRateLimit(
  ctx: Context,
  limiter: RateLimiter,
  limit: RateLimit,
): Promise<boolean> {
  const { tenant, userId } = ctx.principal;
  const ceiling = limit.limit * unknownClients;
  const client = { tenantId: tenant.id, address: ctx.clientAddress, userId };
  const { allowed } = await consumeAsClient(limiter, { ...limit, ceiling }, client);
  return allowed;
}

/**
 * Consumes from a rate limit and rejects the request when it is exceeded.
 * @throws QuireError RATE_LIMITED; Retry-After is the whole window.
 */
export async function enforceRateLimit(ctx: Context, limiter: RateLimiter, limit: RateLimit): Promise<void> {
  if (await consumeRateLimit(ctx, limiter, limit)) return;
  throw new QuireError('RATE_LIMITED', 'Too many requests; try again later', {
    retryAfterSeconds: limit.windowSeconds,
  });
}
