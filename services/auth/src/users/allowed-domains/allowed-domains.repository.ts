import { columnsOf, type Queryable, type Row } from '@quire/database';
import { AllowedDomain } from './allowed-domain.entity.js';
import { normaliseDomain } from './domain-name.js';
import type { AllowedDomainUpdate, NewAllowedDomain } from './allowed-domains.schemas.js';

export type AllowedDomainRow = Row<AllowedDomain>;

const columns = columnsOf(AllowedDomain);

/** @returns all allowed domains, ordered by name. */
export async function selectAllowedDomains(sql: Queryable): Promise<AllowedDomainRow[]> {
  return sql.query<AllowedDomainRow>(`SELECT ${columns} FROM allowed_domains ORDER BY domain COLLATE "C"`);
}

/** Inserts an enabled domain. @returns undefined when the domain is already allowed. */
export async function insertAllowedDomain(
  tx: Queryable,
  { domain, defaultRole }: NewAllowedDomain,
): Promise<AllowedDomainRow | undefined> {
  const [created] = await tx.query<AllowedDomainRow>(
    `INSERT INTO allowed_domains (domain, default_role) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING ${columns}`,
    [domain, defaultRole],
  );
  return created;
}

/** Updates the given columns. @returns undefined when the domain is not allowed. */
export async function updateAllowedDomainRow(
  tx: Queryable,
  domain: string,
  { enabled, defaultRole }: AllowedDomainUpdate,
): Promise<AllowedDomainRow | undefined> {
  const [updated] = await tx.query<AllowedDomainRow>(
    `UPDATE allowed_domains SET enabled = coalesce($2, enabled), default_role = coalesce($3, default_role)
     WHERE domain = $1 RETURNING ${columns}`,
    [domain, enabled ?? null, defaultRole ?? null],
  );
  return updated;
}

/** Deletes an allowed domain. @returns whether a row was deleted. */
export async function deleteAllowedDomainRow(tx: Queryable, domain: string): Promise<boolean> {
  const deleted = await tx.query('DELETE FROM allowed_domains WHERE domain = $1 RETURNING domain', [domain]);
  return deleted.length > 0;
}

/** Whether any allowed domain is enabled. */
export async function hasEnabledDomain(sql: Queryable): Promise<boolean> {
  const [row] = await sql.query<{ isOpen: boolean }>(
    'SELECT EXISTS (SELECT 1 FROM allowed_domains WHERE enabled) AS "isOpen"',
  );
  return row?.isOpen ?? false;
}

/**
 * Selects the default role of an e-mail address by its domain, and locks the domain (FOR SHARE) until the end of the
 * transaction.
 * @returns the role, before `DefaultRolePolicy.cap`; undefined when users of the domain may not sign up.
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
