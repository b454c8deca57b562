import type { Queryable } from '@quire/database';
import type { ReadOnlyReason } from './read-only-reason.js';
import type { SiteOptions } from './site-options.js';
import type { Tenant } from './tenant.js';

/** A site as operators see it. Times are ISO 8601. */
export interface TenantDetails extends Pick<Tenant, 'id' | 'database'>, SiteOptions {
  /** Registered host names. */
  hosts: string[];
  createdAt: string;
  /** Null for a site that is not suspended. */
  suspendedAt: string | null;
  suspensionReason: string | null;
  readOnlyReason: ReadOnlyReason | null;
}

/** All sites, or the one of an id, in the order of their ids. @param sql the registry's schema */
export function selectTenantDetails(sql: Queryable, id?: string): Promise<TenantDetails[]> {
  return sql.query(
    `SELECT t.id, t.database, coalesce(h.hosts, '{}') AS hosts, t.created_at AS "createdAt",
       t.suspended_at AS "suspendedAt", t.suspension_reason AS "suspensionReason",
       t.read_only_reason AS "readOnlyReason", t.settings, t.limits, t.plan
     FROM tenants t LEFT JOIN (
       SELECT tenant_id, array_agg(host ORDER BY host) AS hosts FROM tenant_hosts GROUP BY tenant_id
     ) h ON h.tenant_id = t.id
     WHERE $1::text IS NULL OR t.id = $1 ORDER BY t.id`,
    [id ?? null],
  );
}
