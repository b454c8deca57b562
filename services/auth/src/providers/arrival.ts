import type { Context } from '@quire/context';
import type { LoginProvider } from '@quire/login-providers';
import type { DefaultRolePolicy } from '../allowed-domains/index.js';
import type { AuditLog } from '../audit/index.js';
import type { SetupAccess, SetupLink } from '../setup/index.js';
import type { Person } from './person.js';
import type { Attempt } from './providers.repository.js';

/** Somebody whose account a provider has confirmed. */
export interface Arrival {
  provider: LoginProvider;
  person: Person;
  attempt: Pick<Attempt, 'inviteHash' | 'setupHash'>;
  /** What the browser brings that opened the setup link. */
  setupLink: SetupLink;
  userAgent: string | undefined;
}

/** What letting somebody in works with, beside the transaction. */
export interface ArrivalServices {
  ctx: Context;
  audit: AuditLog;
  defaultRoles: DefaultRolePolicy;
  setup: SetupAccess;
  /** Is told whom it is about, as soon as that is known. */
  isAbout: (userId: string) => void;
}
