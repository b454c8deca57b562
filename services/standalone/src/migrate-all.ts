import { migrateShared, migrateTenant, type ServiceDatabases, type Tenant } from '@quire/tenancy';
import type { ownedTables } from './services.js';

/** The databases of the services, with the migrations of their tables. */
type OwnedTables = Awaited<ReturnType<typeof ownedTables>>;

/** Numbers of a run, and the keys of the unavailable databases, which were left out with their tenants. */
export interface Migrated {
  applied: number;
  tenants: number;
  unavailable: string[];
}

/**
 * Applies the pending migrations of all services in all databases that respond.
 * @throws QuireError SERVICE_UNAVAILABLE when a default database is unavailable
 */
export async function migrateAll(owned: OwnedTables, tenants: readonly Tenant[]): Promise<Migrated> {
  const unavailable = await unavailableKeys(owned);
  const isAvailable = (key: string | null) => key === null || !unavailable.has(key);
  const served = tenants.filter(({ database }) => isAvailable(database));
  let applied = 0;
  for (const { databases, tables } of owned)
    applied += (await migrateShared(databases, tables, databases.keys.filter(isAvailable))).length;
  for (const tenant of served) applied += await migrateTablesOf(tenant, owned);
  return { applied, tenants: served.length, unavailable: [...unavailable].sort() };
}

/** Creates or updates the tables of a tenant in all services. @returns the number of applied migrations */
export async function migrateTablesOf(tenant: Tenant, owned: OwnedTables): Promise<number> {
  let applied = 0;
  for (const { databases, tables } of owned)
    applied += (await migrateTenant(databases, tables, tenant)).length;
  return applied;
}

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
