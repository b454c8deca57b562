import type { Context } from '@quire/context';
import type { LoginProvider } from '@quire/login-providers';
import type { DefaultRolePolicy } from '../../users/allowed-domains/index.js';
import type { AuditLog } from '../../audit/index.js';
import type { SetupAccess, SetupLink } from '../../registration/setup/index.js';
import type { ExternalProfile } from './external-profile.js';
import type { Attempt } from './providers.repository.js';

/** A login that an external provider has confirmed. */
export interface ExternalLogin {
  provider: LoginProvider;
  profile: ExternalProfile;
  attempt: Pick<Attempt, 'inviteHash' | 'setupHash'>;
  /** The setup link that the browser has opened. */
  setupLink: SetupLink;
  userAgent: string | undefined;
}

/** Dependencies of signing in an external user. */
export interface ExternalLoginDeps {
  ctx: Context;
  audit: AuditLog;
  defaultRoles: DefaultRolePolicy;
  setup: SetupAccess;
  /** Sets the user of the audited attempt, as soon as it is known. */
  setSubject: (userId: string) => void;
}
