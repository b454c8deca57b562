import { identifier, migrate, type Migration } from '@quire/database';
import type { ServiceDatabases } from '../connection/service-databases.js';
import { sharedSchema, tenantSchema, type Tenant } from '../registry/tenant.js';
import { registryMigrations, registrySchema } from '../registry/tenant-registry.js';

/** What a service brings to a database: tables of each tenant, and tables it keeps across tenants. */
export interface ServiceTables {
  tenant: readonly Migration[];
  shared: readonly Migration[];
}

/** Makes or updates the registry's tables. */
export async function migrateRegistry(databases: ServiceDatabases): Promise<void> {
  await inSchema(databases, registrySchema, null, 'registry', registryMigrations);
}

/** Makes or updates what a service keeps across tenants, in each of its databases. @returns what was applied. */
export async function migrateShared(databases: ServiceDatabases, tables: ServiceTables): Promise<string[]> {
  const applied: string[] = [];
  for (const key of databases.keys) {
    const { service } = databases;
    applied.push(...(await inSchema(databases, sharedSchema(service), key, service, tables.shared)));
  }
  return applied;
}

/** Makes or updates a service's tables of one tenant. Running it again changes nothing. @returns what was applied. */
export async function migrateTenant(
  databases: ServiceDatabases,
  tables: ServiceTables,
  tenant: Tenant,
): Promise<string[]> {
  return inSchema(databases, tenantSchema(tenant), tenant.database, databases.service, tables.tenant);
}

/** Removes everything a service stores of a tenant. Messages that still wait end as `tenant-gone`. */
export async function removeTenant(databases: ServiceDatabases, tenant: Tenant): Promise<void> {
  const shared = databases.shared(tenant.database);
  await shared.query(`DROP SCHEMA IF EXISTS ${identifier(tenantSchema(tenant))} CASCADE`);
}

async function inSchema(
  databases: ServiceDatabases,
  schema: string,
  database: string | null,
  service: string,
  migrations: readonly Migration[],
): Promise<string[]> {
  await databases
    .inSchema('pg_catalog', database)
    .query(`CREATE SCHEMA IF NOT EXISTS ${identifier(schema)}`)
    .catch(ignoreRaceOfTwoCreators);
  return migrate(databases.inSchema(schema, database), { schema, service, migrations });
}

/** CREATE SCHEMA IF NOT EXISTS still fails when another process creates the schema at the same moment. */
function ignoreRaceOfTwoCreators(error: unknown): void {
  const code = (error as { code?: string }).code;
  if (code !== '23505' && code !== '42P06') throw error;
}
