import type { CacheInvalidationBus } from '@quire/jobs';
import type { RateLimiter } from '@quire/rate-limit';
import type { AuditLog } from '../audit/index.js';

/** Dependencies of the OAuth server operations. */
export class OAuthDeps {
  constructor(
    readonly relay: CacheInvalidationBus,
    readonly limiter: RateLimiter,
    readonly audit: AuditLog,
  ) {}
}
