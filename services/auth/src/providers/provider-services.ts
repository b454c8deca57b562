import type { RateLimiter } from '@quire/rate-limit';
import type { DefaultRolePolicy } from '../allowed-domains/index.js';
import type { AuditLog } from '../audit/index.js';
import type { SetupAccess } from '../setup/index.js';
import type { LoginProviders } from './login-providers.js';

/** What signing in with providers works with, beside its context. */
export class ProviderServices {
  readonly providers: LoginProviders;
  readonly limiter: RateLimiter;
  readonly audit: AuditLog;
  readonly defaultRoles: DefaultRolePolicy;
  readonly setup: SetupAccess;

  constructor(parts: Pick<ProviderServices, 'providers' | 'limiter' | 'audit' | 'defaultRoles' | 'setup'>) {
    this.providers = parts.providers;
    this.limiter = parts.limiter;
    this.audit = parts.audit;
    this.defaultRoles = parts.defaultRoles;
    this.setup = parts.setup;
  }
}
