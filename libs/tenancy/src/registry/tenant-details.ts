import { cursorScope, KeysetPage, Parameters, type Queryable } from '@quire/database';
import type { ReadOnlyReason } from './read-only-reason.js';
import { storageIdOf } from './renames.js';
import type { SiteOptions } from './site-options.js';
import type { Tenant } from './tenant.js';

/** `pending-deletion`: deleted and restorable. `purging`: its data is being deleted, and it is no longer restorable. */
export const tenantStates = ['active', 'read-only', 'suspended', 'pending-deletion', 'purging'] as const;

export type TenantState = (typeof tenantStates)[number];

/** A site as operators see it. Times are ISO 8601. */
export interface TenantDetails extends Pick<Tenant, 'database'>, SiteOptions {
  /** The id that operators gave it last. */
  id: string;
  /** The id with which it was created: that of its tables, objects, indexes and jobs (registry/renames.ts). */
  storageId: string;
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

/** The id that a site has since its last rename. */
const presentId = 'coalesce(t.name, t.id)';

const selectDetails = `SELECT ${presentId} AS id, t.id AS "storageId", t.database, ${state} AS state,
  coalesce((SELECT array_agg(host ORDER BY host) FROM tenant_hosts WHERE tenant_id = t.id), '{}') AS hosts,
  t.created_at AS "createdAt", t.suspended_at AS "suspendedAt", t.suspension_reason AS "suspensionReason",
  t.read_only_reason AS "readOnlyReason", t.deleted_at AS "deletedAt", t.purge_at AS "purgeAt",
  t.settings, t.limits, t.plan
  FROM tenants t`;

/** All sites in the order of their ids. @param sql the registry's schema */
export function selectTenantDetails(sql: Queryable): Promise<TenantDetails[]> {
  return sql.query(`${selectDetails} ORDER BY ${presentId}`);
}

/** The site that has an id, or had it before a rename. @param sql the registry's schema */
export async function findTenantDetails(sql: Queryable, id: string): Promise<TenantDetails | undefined> {
  const [found] = await sql.query<TenantDetails>(`${selectDetails} WHERE t.id = $1`, [
    await storageIdOf(sql, id),
  ]);
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
    column: presentId,
    idColumn: presentId,
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
