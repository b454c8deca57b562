import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { consumeAsClient, type RateLimit, type RateLimiter } from '@quire/rate-limit';

/** Clients without a known address share a ceiling: this many times the limit of one client. */
const ceilingFactor = 50;

/**
 * Counts a request against the rate limit of its client (spec document 1, Limits; decision 55). Clients without a known
 * address share a ceiling per site.
 * @returns false when the limit is exceeded.
 */
export async function consumeRateLimit(
  ctx: Context,
  limiter: RateLimiter,
  limit: RateLimit,
): Promise<boolean> {
  const { tenant, userId } = ctx.principal;
  const ceiling = limit.limit * ceilingFactor;
  const client = { tenantId: tenant.id, address: ctx.clientAddress, userId };
  const { allowed } = await consumeAsClient(limiter, { ...limit, ceiling }, client);
  return allowed;
}

/**
 * Counts a request against the rate limit of its client.
 * @throws QuireError RATE_LIMITED when the limit is exceeded; Retry-After is the whole window.
 */
export async function enforceRateLimit(ctx: Context, limiter: RateLimiter, limit: RateLimit): Promise<void> {
  if (await consumeRateLimit(ctx, limiter, limit)) return;
  throw new QuireError('RATE_LIMITED', 'Too many requests; try again later', {
    retryAfterSeconds: limit.windowSeconds,
  });
}
