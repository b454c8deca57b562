import type { RateLimiter } from '@quire/rate-limit';
import type { AuditLog } from '../../audit/index.js';
import type { RelyingPartyFactory } from './relying-party.js';

/** Dependencies of the passkey operations. */
export class PasskeyDeps {
  constructor(
    readonly parties: RelyingPartyFactory,
    readonly limiter: RateLimiter,
    readonly audit: AuditLog,
  ) {}
}
