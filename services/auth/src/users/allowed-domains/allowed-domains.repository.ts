import type { Queryable } from '@quire/database';
import type { AllowedDomainUpdate, NewAllowedDomain } from './allowed-domains.schemas.js';

export interface AllowedDomainRow {
  domain: string;
  defaultRole: number;
  enabled: boolean;
  createdAt: string;
}

const columns = 'domain, default_role AS "defaultRole", enabled, created_at AS "createdAt"';

/** All of them, by name. */
export async function selectAllowedDomains(sql: Queryable): Promise<AllowedDomainRow[]> {
  return sql.query<AllowedDomainRow>(`SELECT ${columns} FROM allowed_domains ORDER BY domain COLLATE "C"`);
}

/** @returns undefined when it is there already. */
export async function insertAllowedDomain(
  tx: Queryable,
  { domain, defaultRole }: NewAllowedDomain,
): Promise<AllowedDomainRow | undefined> {
  const [made] = await tx.query<AllowedDomainRow>(
    `INSERT INTO allowed_domains (domain, default_role) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING ${columns}`,
    [domain, defaultRole],
  );
  return made;
}

/** @returns undefined when there is none. */
export async function updateAllowedDomainRow(
  tx: Queryable,
  domain: string,
  { enabled, defaultRole }: AllowedDomainUpdate,
): Promise<AllowedDomainRow | undefined> {
  const [changed] = await tx.query<AllowedDomainRow>(
    `UPDATE allowed_domains SET enabled = coalesce($2, enabled), default_role = coalesce($3, default_role)
     WHERE domain = $1 RETURNING ${columns}`,
    [domain, enabled ?? null, defaultRole ?? null],
  );
  return changed;
}

/** @returns whether there was one. */
export async function deleteAllowedDomainRow(tx: Queryable, domain: string): Promise<boolean> {
  const removed = await tx.query('DELETE FROM allowed_domains WHERE domain = $1 RETURNING domain', [domain]);
  return removed.length > 0;
}

/** Whether people of some domain may make an account of themselves. */
export async function hasEnabledDomain(sql: Queryable): Promise<boolean> {
  const [found] = await sql.query<{ isOpen: boolean }>(
    'SELECT EXISTS (SELECT 1 FROM allowed_domains WHERE enabled) AS "isOpen"',
  );
  return found?.isOpen ?? false;
}
