import { cursorScope, KeysetPage, Parameters, type Queryable } from '@quire/database';
import type { ReadOnlyReason } from './read-only-reason.js';
import type { SiteOptions } from './site-options.js';
import type { Tenant } from './tenant.js';

/** `pending-deletion`: deleted and restorable. `purging`: its data is being deleted, and it is no longer restorable. */
export const tenantStates = ['active', 'read-only', 'suspended', 'pending-deletion', 'purging'] as const;

export type TenantState = (typeof tenantStates)[number];

/** A site as operators see it. Times are ISO 8601. */
export interface TenantDetails extends Pick<Tenant, 'id' | 'database'>, SiteOptions {
  state: TenantState;
  /** Registered host names. */
  hosts: string[];
  createdAt: string;
  /** Null for a site that is not suspended. */
  suspendedAt: string | null;
  suspensionReason: string | null;
  readOnlyReason: ReadOnlyReason | null;
  /** Null for a site that is not deleted. */
  deletedAt: string | null;
  /** When its data is deleted. */
  purgeAt: string | null;
}

const state = `CASE WHEN t.purge_started_at IS NOT NULL THEN 'purging'
  WHEN t.deleted_at IS NOT NULL THEN 'pending-deletion'
  WHEN t.suspended_at IS NOT NULL THEN 'suspended'
  WHEN t.read_only_reason IS NOT NULL THEN 'read-only' ELSE 'active' END`;

const selectDetails = `SELECT t.id, t.database, ${state} AS state,
  coalesce((SELECT array_agg(host ORDER BY host) FROM tenant_hosts WHERE tenant_id = t.id), '{}') AS hosts,
  t.created_at AS "createdAt", t.suspended_at AS "suspendedAt", t.suspension_reason AS "suspensionReason",
  t.read_only_reason AS "readOnlyReason", t.deleted_at AS "deletedAt", t.purge_at AS "purgeAt",
  t.settings, t.limits, t.plan
  FROM tenants t`;

/** All sites in the order of their ids. @param sql the registry's schema */
export function selectTenantDetails(sql: Queryable): Promise<TenantDetails[]> {
  return sql.query(`${selectDetails} ORDER BY t.id`);
}

/** The site of an id. @param sql the registry's schema */
export async function findTenantDetails(sql: Queryable, id: string): Promise<TenantDetails | undefined> {
  const [found] = await sql.query<TenantDetails>(`${selectDetails} WHERE t.id = $1`, [id]);
  return found;
}

/**
 * A page of sites in the order of their ids.
 * @param sql the registry's schema
 * @param query.state only the sites of this state
 * @throws QuireError INVALID_CURSOR
 */
export async function selectTenantPage(
  sql: Queryable,
  query: { state?: TenantState | undefined; cursor?: string | undefined; limit: number },
): Promise<{ items: TenantDetails[]; nextCursor?: string }> {
  const columns = {
    column: 't.id',
    idColumn: 't.id',
    direction: 'asc',
    cast: 'text',
    neverNull: true,
  } as const;
  const page = new KeysetPage(columns, cursorScope({ list: 'tenants', state: query.state }), query);
  const parameters = new Parameters();
  const conditions = [page.condition(parameters)];
  if (query.state !== undefined) conditions.push(`${state} = ${parameters.add(query.state)}`);
  const text = `${selectDetails} WHERE ${conditions.join(' AND ')} ${page.order(parameters)}`;
  return page.cut(await sql.query<TenantDetails>(text, parameters.values), ({ id }) => ({ value: id, id }));
}
