import type { Sql } from '@quire/database';
import { normalisedDomain } from './domain-name.js';

/**
 * The role that the domain of this e-mail address gives to who makes an account of himself, before `DefaultRolePolicy.cap`. Inside a transaction the domain stays
 * allowed until its end.
 * @returns undefined when people of the domain may not.
 */
export async function roleOfNewcomer(sql: Sql, email: string): Promise<number | undefined> {
  const domain = normalisedDomain(email.slice(email.lastIndexOf('@') + 1));
  if (domain === undefined) return undefined;
  const [allowed] = await sql.query<{ role: number }>(
    'SELECT default_role AS role FROM allowed_domains WHERE domain = $1 AND enabled FOR SHARE',
    [domain],
  );
  return allowed?.role;
}
