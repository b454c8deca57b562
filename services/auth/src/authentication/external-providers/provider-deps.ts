import type { RateLimiter } from '@quire/rate-limit';
import type { DefaultRolePolicy } from '../../users/allowed-domains/index.js';
import type { AuditLog } from '../../audit/index.js';
import type { SetupAccess } from '../../registration/setup/index.js';
import type { LoginProviders } from './login-providers.js';

/** Dependencies of the external provider operations. */
export class ProviderDeps {
  readonly providers: LoginProviders;
  readonly limiter: RateLimiter;
  readonly audit: AuditLog;
  readonly defaultRoles: DefaultRolePolicy;
  readonly setup: SetupAccess;

  constructor(deps: Pick<ProviderDeps, 'providers' | 'limiter' | 'audit' | 'defaultRoles' | 'setup'>) {
    this.providers = deps.providers;
    this.limiter = deps.limiter;
    this.audit = deps.audit;
    this.defaultRoles = deps.defaultRoles;
    this.setup = deps.setup;
  }
}
