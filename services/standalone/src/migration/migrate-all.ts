import { ConfigurationError } from '@quire/config';
import type { Queryable } from '@quire/database';
import {
  incompleteTenants,
  insertBreakingMigrations,
  migrateShared,
  migrateTenant,
  recordSiteFailure,
  recordSiteVersion,
  selectBreakingMigrations,
  selectSiteVersions,
  servicesBehind,
  type BreakingMigration,
  type ServiceDatabases,
  type SiteVersion,
  type Tenant,
} from '@quire/tenancy';
import { forEachSite } from '../for-each-site.js';
import type { ownedTables } from '../services.js';

/** The databases of the services, with the migrations of their tables. */
export type OwnedTables = Awaited<ReturnType<typeof ownedTables>>;

/** What a run has done. */
export interface Migrated {
  applied: number;
  /** Sites that have all migrations. */
  tenants: number;
  /** Keys of the unavailable databases, which were left out with their sites. */
  unavailable: string[];
  /** Sites that could not be migrated. The next run tries them again. */
  failures: { tenant: string; message: string }[];
}

export interface MigrateOptions {
  owned: OwnedTables;
  tenants: readonly Tenant[];
  /** The schema of the registry. */
  registry: Queryable;
  /** Sites that are migrated at the same time. */
  jobs: number;
  /** Whether the records of the registry count; else the tables of every site are looked at. */
  trustsRecords: boolean;
}

/** The version of a site whose tables have all migrations of this program. */
export const ownVersion = (owned: OwnedTables): SiteVersion =>
  Object.fromEntries(
    owned.map(({ databases, tables }) => [databases.service, tables.tenant.at(-1)?.name ?? '']),
  );

/**
 * Applies the pending migrations of all services in all databases that respond. Sites whose recorded version has them
 * cost nothing. A site that fails does not stop the others.
 * @throws QuireError SERVICE_UNAVAILABLE when a default database is unavailable; ConfigurationError when a newer
 *   version has changed the tables so that this one cannot work with them
 */
export async function migrateAll({
  owned,
  tenants,
  registry,
  jobs,
  trustsRecords,
}: MigrateOptions): Promise<Migrated> {
  await checkBreakingMigrations(registry, owned);
  const unavailable = await unavailableKeys(owned);
  const isAvailable = (key: string | null) => key === null || !unavailable.has(key);
  let applied = 0;
  for (const { databases, tables } of owned)
    applied += (await migrateShared(databases, tables, databases.keys.filter(isAvailable))).length;
  const served = tenants.filter(({ database }) => isAvailable(database));
  const behind = trustsRecords ? await tenantsBehind(served, owned, registry) : served;
  const failures: Migrated['failures'] = [];
  await forEachSite(behind, {
    jobs,
    work: (tenant) => migrateTablesOf(tenant, owned, registry),
    onDone: (_, count) => void (applied += count),
    onFailed: async ({ id }, { message }) => {
      failures.push({ tenant: id, message });
      await recordSiteFailure(registry, id, message);
    },
  });
  return {
    applied,
    tenants: served.length - failures.length,
    unavailable: [...unavailable].sort(),
    failures: failures.sort((left, right) => left.tenant.localeCompare(right.tenant, 'en')),
  };
}

/** The sites that lack migrations by the records of the registry, or whose schema or role is incomplete. */
async function tenantsBehind(
  tenants: readonly Tenant[],
  owned: OwnedTables,
  registry: Queryable,
): Promise<Tenant[]> {
  const own = ownVersion(owned);
  const recorded = await selectSiteVersions(registry);
  const found = await Promise.all(owned.map(({ databases }) => incompleteTenants(databases, tenants)));
  const incomplete = new Set(found.flat());
  const isBehind = (id: string) => servicesBehind(recorded.get(id)?.version ?? {}, own).length > 0;
  return tenants.filter(({ id }) => incomplete.has(id) || isBehind(id));
}

/** Creates or updates the tables of a site in all services. @returns the number of applied migrations */
export async function migrateTablesOf(
  tenant: Tenant,
  owned: OwnedTables,
  registry: Queryable,
): Promise<number> {
  let applied = 0;
  for (const { databases, tables } of owned)
    applied += (await migrateTenant(databases, tables, tenant)).length;
  await recordSiteVersion(registry, tenant.id, ownVersion(owned));
  return applied;
}

/**
 * Records the breaking migrations of this program, before it applies any.
 * @throws ConfigurationError when the installation has one of a newer version
 */
async function checkBreakingMigrations(registry: Queryable, owned: OwnedTables): Promise<void> {
  const all = owned.flatMap(({ databases: { service }, tables: { shared, tenant } }) =>
    [...shared, ...tenant].map(({ name, isBreaking }) => ({ service, name, isBreaking })),
  );
  const known = new Set(all.map(nameOf));
  const unknown = (await selectBreakingMigrations(registry)).filter((each) => !known.has(nameOf(each)));
  if (unknown.length > 0)
    throw new ConfigurationError(
      `The database is newer than this program, which cannot work with its tables (${unknown.map(nameOf).join(', ')}): start the newer version`,
    );
  await insertBreakingMigrations(
    registry,
    all.filter(({ isBreaking }) => isBreaking),
  );
}

const nameOf = ({ service, name }: BreakingMigration) => `${service}/${name}`;

/** Keys of the databases, other than the default ones, that do not respond for one of the services. */
async function unavailableKeys(owned: OwnedTables): Promise<Set<string>> {
  const unavailable = new Set<string>();
  const check = (databases: ServiceDatabases, key: string) =>
    databases.ping(key).catch(() => unavailable.add(key));
  await Promise.all(
    owned.flatMap(({ databases }) =>
      databases.keys.flatMap((key) => (key === null ? [] : [check(databases, key)])),
    ),
  );
  return unavailable;
}
