import type { CacheRelay } from '@quire/messages';
import type { RateLimiter } from '@quire/rate-limit';
import type { AuditLog } from '../audit/index.js';

/** What the operations of OAuth work with, beside their context. */
export class OAuthServices {
  constructor(
    readonly relay: CacheRelay,
    readonly limiter: RateLimiter,
    readonly audit: AuditLog,
  ) {}
}
