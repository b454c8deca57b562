import { QuireError } from '@quire/errors';
import type { RateLimiter } from '@quire/rate-limit';
import type { Tenant } from '@quire/tenancy';

/** The limit of the requests of a site in a second, in all processes that share the limiter. */
export class SiteRequestLimit {
  /** @param onRefused counts a request that the limit refuses */
  constructor(
    private readonly limiter: Pick<RateLimiter, 'consume'>,
    private readonly onRefused: () => void = () => undefined,
  ) {}

  /** Counts a request of a site with a limit. @throws QuireError RATE_LIMITED with Retry-After */
  async consume({ id, limits }: Tenant): Promise<void> {
    const limit = limits?.requestsPerSecond;
    if (limit === undefined) return;
    const requests = { name: 'site-requests', limit, windowSeconds: 1 };
    const { allowed, retryAfterSeconds } = await this.limiter.consume(requests, id);
    if (allowed) return;
    this.onRefused();
    throw new QuireError('RATE_LIMITED', `The site may have ${limit} requests in a second; retry later`, {
      retryAfterSeconds,
    });
  }
}
