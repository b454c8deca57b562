import type { Context } from '@quire/context';
import type { LoginProvider } from '@quire/login-providers';
import type { AuditLog } from '../audit/index.js';
import type { Person } from './person.js';
import type { Attempt } from './providers.repository.js';

/** Somebody whose account a provider has confirmed. */
export interface Arrival {
  provider: LoginProvider;
  person: Person;
  attempt: Pick<Attempt, 'inviteHash' | 'setupHash'>;
  userAgent: string | undefined;
}

/** What letting somebody in works with, beside the transaction. */
export interface ArrivalServices {
  ctx: Context;
  audit: AuditLog;
}
