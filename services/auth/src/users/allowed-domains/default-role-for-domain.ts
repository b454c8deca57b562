import type { Queryable } from '@quire/database';
import { normaliseDomain } from './domain-name.js';

/**
 * The default role of the allowed domain of an e-mail address, before `DefaultRolePolicy.cap`. Locks the domain (FOR
 * SHARE) until the end of the transaction.
 * @returns undefined when users of the domain may not sign up.
 */
export async function defaultRoleForDomain(sql: Queryable, email: string): Promise<number | undefined> {
  const domain = normaliseDomain(email.slice(email.lastIndexOf('@') + 1));
  if (domain === undefined) return undefined;
  const [allowed] = await sql.query<{ role: number }>(
    'SELECT default_role AS role FROM allowed_domains WHERE domain = $1 AND enabled FOR SHARE',
    [domain],
  );
  return allowed?.role;
}
