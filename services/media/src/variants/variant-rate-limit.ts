import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import {
  consumeAsClient,
  type ClientLimit,
  type RateDecision,
  type RateLimit,
  type RateLimiter,
} from '@quire/rate-limit';

const windowSeconds = 300;
const perTenant: RateLimit = { name: 'image-variants-of-site', limit: 1_200, windowSeconds };
/** Variants per caller, a user or a client. The first view of a gallery may need some hundreds. */
const perCaller: ClientLimit = {
  name: 'image-variants',
  limit: 240,
  windowSeconds,
  ceiling: perTenant.limit,
};

/**
 * Counts a variant before it is created. Existing variants are not counted.
 * @throws QuireError RATE_LIMITED
 */
export async function enforceVariantRateLimit(ctx: Context, limiter: RateLimiter): Promise<void> {
  const { tenant, userId } = ctx.principal;
  assertAllowed(
    userId === null
      ? await consumeAsClient(limiter, perCaller, { tenantId: tenant.id, address: ctx.clientAddress, userId })
      : await limiter.consume(perCaller, `${tenant.id} user ${userId}`),
  );
  assertAllowed(await limiter.consume(perTenant, tenant.id));
}

function assertAllowed({ allowed, retryAfterSeconds }: RateDecision): void {
  if (allowed) return;
  throw new QuireError('RATE_LIMITED', 'Too many image variants requested. Retry later.', {
    retryAfterSeconds,
  });
}
