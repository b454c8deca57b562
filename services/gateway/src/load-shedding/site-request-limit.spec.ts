import { describe, expect, it, jest } from '@jest/globals';
import { createProcessLimiter, type RateLimiter } from '@quire/rate-limit';
import { SiteRequestLimit } from './site-request-limit.js';

const logger = { warn: () => undefined, info: () => undefined };
const tenant = (id: string, requestsPerSecond?: number) => ({
  id,
  database: null,
  ...(requestsPerSecond !== undefined && { limits: { requestsPerSecond } }),
});

describe('SiteRequestLimit', () => {
  it('counts each site with a limit, and refuses with the time to wait', async () => {
    const onRefused = jest.fn();
    const limit = new SiteRequestLimit(createProcessLimiter(logger), onRefused);
    const used = await Promise.allSettled(Array.from({ length: 5 }, () => limit.consume(tenant('a', 3))));
    expect(used.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(used.at(-1)).toMatchObject({ reason: { code: 'RATE_LIMITED', retryAfterSeconds: 1 } });
    expect(onRefused).toHaveBeenCalledTimes(2);
    await limit.consume(tenant('b', 3));
  });

  it('asks no limiter for a site without a limit', async () => {
    const consume = jest.fn<RateLimiter['consume']>();
    const limit = new SiteRequestLimit({ consume });
    await limit.consume(tenant('a'));
    await limit.consume({ ...tenant('a'), limits: { entries: 1 } });
    expect(consume).not.toHaveBeenCalled();
  });
});
