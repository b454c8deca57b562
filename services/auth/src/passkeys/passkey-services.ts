import type { RateLimiter } from '@quire/rate-limit';
import type { AuditLog } from '../audit/index.js';
import type { RelyingParties } from './relying-party.js';

/** What signing in with passkeys works with, beside its context. */
export class PasskeyServices {
  constructor(
    readonly parties: RelyingParties,
    readonly limiter: RateLimiter,
    readonly audit: AuditLog,
  ) {}
}
