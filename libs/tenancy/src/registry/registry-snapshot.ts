import { isDeepStrictEqual } from 'node:util';
import type { SiteLimits, SiteSettings } from '@quire/config';
import type { Queryable } from '@quire/database';
import type { ReadOnlyReason } from './read-only-reason.js';
import { defaultTenantId, type Tenant } from './tenant.js';

/** The registry as it was read at once. */
export interface Snapshot {
  byHost: ReadonlyMap<string, Tenant>;
  byId: ReadonlyMap<string, Tenant>;
  /** Of read-only sites, by the id of the tenant. */
  readOnlyReasons: ReadonlyMap<string, ReadOnlyReason>;
  /** Ids of the sites that are not served: suspended and deleted ones. */
  suspended: ReadonlySet<string>;
  /** Ids of the deleted sites, which are restorable. */
  deleted: ReadonlySet<string>;
  /** When the moves of sites end at the latest, by the ids of the sites and the clock of this process. */
  movingUntil: ReadonlyMap<string, number>;
  version: number;
  /** When it was last known to be current. */
  checkedAt: number;
  /** Age at which it is checked again. Processes that start together check at different times. */
  maxAgeMs: number;
}

const minSnapshotAgeMs = 45_000;
/** Writes need a registry that is not older. */
export const maxSnapshotAgeMs = 60_000;

/** A tenant with its hosts; without tenants one row that has only the version. */
interface RegistryRow {
  version: number;
  id: string | null;
  database: string | null;
  readOnlyReason: ReadOnlyReason | null;
  isSuspended: boolean;
  isDeleted: boolean;
  settings: SiteSettings | null;
  limits: SiteLimits | null;
  /** Milliseconds for which the site may still move. */
  movingMs: number | null;
  hosts: string[];
}

/**
 * Reads the registry. A site whose purge has begun is left out: it exists for the purge only.
 * @param known tenants of an earlier snapshot: one that is the same keeps its object, so that callers notice changes
 */
export async function loadSnapshot(
  sql: Queryable,
  known: ReadonlyMap<string, Tenant> = new Map(),
): Promise<Snapshot> {
  const checkedAt = Date.now();
  const rows = await sql.query<RegistryRow>(`
    SELECT v.version, t.id, t.database, t.read_only_reason AS "readOnlyReason",
      t.suspended_at IS NOT NULL AS "isSuspended", t.deleted_at IS NOT NULL AS "isDeleted",
      nullif(t.settings, '{}') AS settings, nullif(t.limits, '{}') AS limits, coalesce(h.hosts, '{}') AS hosts,
      (extract(epoch FROM t.moving_until - now()) * 1000)::float AS "movingMs"
    FROM registry_version v LEFT JOIN tenants t ON t.purge_started_at IS NULL LEFT JOIN (
      SELECT tenant_id, array_agg(host) AS hosts FROM tenant_hosts GROUP BY tenant_id
    ) h ON h.tenant_id = t.id ORDER BY t.id`);
  const byHost = new Map<string, Tenant>();
  const byId = new Map<string, Tenant>();
  const readOnlyReasons = new Map<string, ReadOnlyReason>();
  const suspended = new Set<string>();
  const deleted = new Set<string>();
  const movingUntil = new Map<string, number>();
  for (const {
    id,
    database,
    readOnlyReason,
    isSuspended,
    isDeleted,
    movingMs,
    settings,
    limits,
    hosts,
  } of rows) {
    if (id === null) continue;
    const read: Tenant = { id, database, ...(settings && { settings }), ...(limits && { limits }) };
    const before = known.get(id);
    const tenant = before && isDeepStrictEqual(before, read) ? before : read;
    byId.set(id, tenant);
    if (readOnlyReason !== null) readOnlyReasons.set(id, readOnlyReason);
    if (isSuspended || isDeleted) suspended.add(id);
    if (isDeleted) deleted.add(id);
    if (movingMs !== null) movingUntil.set(id, checkedAt + movingMs);
    for (const host of hosts) byHost.set(host, tenant);
  }
  const version = rows[0]?.version ?? 0;
  return {
    byHost,
    byId,
    readOnlyReasons,
    suspended,
    deleted,
    movingUntil,
    version,
    checkedAt,
    maxAgeMs: randomMaxAgeMs(),
  };
}

/** Milliseconds since it was known to be current. */
export const ageOf = ({ checkedAt }: Snapshot) => Date.now() - checkedAt;
export const randomMaxAgeMs = () => minSnapshotAgeMs + Math.random() * (maxSnapshotAgeMs - minSnapshotAgeMs);

/** The tenant of unregistered hosts (decision 29). */
export function onlyTenant({ byId }: Snapshot): Tenant | undefined {
  return byId.size === 1 ? byId.get(defaultTenantId) : undefined;
}

export function registeredTenant(snapshot: Snapshot, host: string): Tenant | undefined {
  return snapshot.byHost.get(registeredName(snapshot.byHost, host) ?? '');
}

/** The known name of a Host header: with its port, or without one for any port. */
export function registeredName(known: { has(name: string): boolean }, host: string): string | undefined {
  return namesOf(host).find((candidate) => known.has(candidate));
}

/** The names under which a Host header may be registered. */
export function namesOf(host: string): string[] {
  const name = host.toLowerCase();
  return [name, name.replace(/:\d+$/, '')];
}
