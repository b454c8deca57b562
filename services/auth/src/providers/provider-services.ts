import type { RateLimiter } from '@quire/rate-limit';
import type { AuditLog } from '../audit/index.js';
import type { LoginProviders } from './login-providers.js';

/** What signing in with providers works with, beside its context. */
export class ProviderServices {
  constructor(
    readonly providers: LoginProviders,
    readonly limiter: RateLimiter,
    readonly audit: AuditLog,
  ) {}
}
