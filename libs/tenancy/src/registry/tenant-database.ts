import type { Queryable } from '@quire/database';
import type { ReadOnlyReason } from './read-only-reason.js';
import type { Tenant } from './tenant.js';

/** The database of a site, and why the site is read-only. @param sql the registry's schema */
export async function selectTenantDatabase(
  sql: Queryable,
  id: string,
): Promise<(Pick<Tenant, 'database'> & { readOnlyReason: ReadOnlyReason | null }) | undefined> {
  const [row] = await sql.query<Pick<Tenant, 'database'> & { readOnlyReason: ReadOnlyReason | null }>(
    'SELECT database, read_only_reason AS "readOnlyReason" FROM tenants WHERE id = $1',
    [id],
  );
  return row;
}

/**
 * Lets the jobs of a site wait while it moves, for some seconds at most; 0 ends it.
 * @param sql the registry's schema
 */
export async function updateTenantMove(sql: Queryable, id: string, seconds: number): Promise<void> {
  await sql.query(
    `UPDATE tenants SET moving_until = CASE WHEN $2::float > 0 THEN now() + make_interval(secs => $2) END
     WHERE id = $1`,
    [id, seconds],
  );
}

/**
 * Changes the database of a site to which its tables were copied, and ends its move.
 * @param sql the registry's schema
 * @returns false when there is no such site in the former database, or it has become read-only
 */
export async function updateTenantDatabase(
  sql: Queryable,
  { id, from, to }: { id: string; from: string | null; to: string | null },
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE tenants SET database = $3, moving_until = NULL
     WHERE id = $1 AND database IS NOT DISTINCT FROM $2 AND read_only_reason IS NULL RETURNING id`,
    [id, from, to],
  );
  return rows.length > 0;
}
