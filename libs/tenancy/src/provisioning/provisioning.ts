import { identifier, migrate, type Migration, type Queryable } from '@quire/database';
import type { ServiceDatabases } from '../connection/service-databases.js';
import { sharedSchema, tenantSchema, type Tenant } from '../registry/tenant.js';
import { migrateSite } from './baselines.js';
import { grantServing, grantSites } from './shared-rights.js';
import { deleteSiteRole, ensureSite, selectIncompleteSites } from './site-roles.js';
import { registryMigrations } from '../registry/registry-migrations.js';
import { registrySchema } from '../registry/tenant-registry.js';

/** The tables of a service: those of each tenant, and those across tenants. */
export interface ServiceTables {
  tenant: readonly Migration[];
  shared: readonly Migration[];
  /**
   * Tables across tenants whose rows of a tenant are removed with it: they have personal data. Rows of other tables are
   * work, which ends as `tenant-deleted`.
   */
  tenantRows?: readonly string[];
  /** Columns of a tenant's tables that have keys of objects, which begin with its id. */
  objectKeys?: readonly ObjectKeyColumn[];
}

/** A column with the keys of objects in the object store. */
export interface ObjectKeyColumn {
  table: string;
  column: string;
  /** The column with the size of the object, and the rows whose object must exist. */
  kept?: { size: string; where: string };
  /** Whether a lost object is made again once its row is deleted. */
  isMadeAgain?: true;
}

/** Numbers of rows by what was wrong with them: `{ "missing schedules": 3 }`. */
export type Repairs = Readonly<Record<string, number>>;

export interface ReconcileOptions {
  /** Whether everything that derives from other tables is made again: after a restore. */
  rebuilds: boolean;
}

/**
 * Brings rows of a service that derive from a tenant's tables, above all its work across tenants, in line with them. It
 * runs in a transaction of the tenant's schema; a second run finds nothing.
 */
export type Reconcile = (
  tx: Queryable,
  tenant: Pick<Tenant, 'id'>,
  options: ReconcileOptions,
) => Promise<Repairs>;

/** Creates or updates the registry's tables. */
export async function migrateRegistry(databases: ServiceDatabases): Promise<void> {
  const place = { schema: registrySchema, database: null };
  await createSchema(databases, place);
  await migrate(databases.inSchema(registrySchema), {
    schema: registrySchema,
    service: 'registry',
    migrations: registryMigrations,
  });
  await grantRights(databases, place, { toSites: false });
}

/**
 * Creates or updates a service's tables across tenants.
 * @param keys its databases with these tables (default: all)
 * @returns the applied migrations
 */
export async function migrateShared(
  databases: ServiceDatabases,
  tables: ServiceTables,
  keys = databases.keys,
): Promise<string[]> {
  const applied: string[] = [];
  const { service } = databases;
  const schema = sharedSchema(service);
  for (const database of keys) {
    await createSchema(databases, { schema, database });
    const shared = databases.shared(database);
    applied.push(...(await migrate(shared, { schema, service, migrations: tables.shared })));
    await grantRights(databases, { schema, database }, { toSites: true });
  }
  return applied;
}

/**
 * Creates or updates a service's tables of one tenant. Running it again changes nothing. @returns the applied
 * migrations
 * @throws ConfigurationError when the tenant needs a database role and the login cannot create it
 */
export async function migrateTenant(
  databases: ServiceDatabases,
  tables: ServiceTables,
  tenant: Tenant,
): Promise<string[]> {
  await ensureSchema(databases, tenant);
  return migrateSite(databases, tables.tenant, tenant);
}

/**
 * Creates the schema of a tenant, and its role, if they are missing.
 * @throws ConfigurationError when the tenant needs a database role and the login cannot create it
 */
export async function ensureSchema(databases: ServiceDatabases, tenant: Tenant): Promise<void> {
  const { database } = tenant;
  const catalog = databases.inSchema('pg_catalog', database);
  if (databases.hasSiteRoles) await ensureSite(catalog, tenant, databases.servingRole);
  else await createSchema(databases, { schema: tenantSchema(tenant), database });
  databases.forgetOwner(tenant);
}

/**
 * Ids of the tenants whose schema or database role is missing or incomplete in a service: after a restore, or a change
 * of the logins.
 */
export async function incompleteTenants(
  databases: ServiceDatabases,
  tenants: readonly Tenant[],
): Promise<string[]> {
  const found = databases.keys.map((key) => {
    const here = tenants.filter(({ database }) => database === key);
    return here.length === 0
      ? []
      : selectIncompleteSites(databases.inSchema('pg_catalog', key), here, databases);
  });
  return (await Promise.all(found)).flat();
}

/** Removes all data of a tenant in a service. Pending messages end as `tenant-deleted`. */
export async function removeTenant(
  databases: ServiceDatabases,
  { tenantRows = [] }: ServiceTables,
  tenant: Tenant,
): Promise<void> {
  const schema = identifier(tenantSchema(tenant));
  await databases.tenant(tenant).query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await deleteSiteRole(databases.inSchema('pg_catalog', tenant.database), tenant);
  databases.forgetOwner(tenant);
  // After the role, since then no running request adds rows.
  const shared = databases.shared(tenant.database);
  for (const table of tenantRows)
    await shared.query(`DELETE FROM ${identifier(table)} WHERE tenant_id = $1`, [tenant.id]);
}

interface SchemaLocation {
  schema: string;
  database: string | null;
}

async function createSchema(
  databases: ServiceDatabases,
  { schema, database }: SchemaLocation,
): Promise<void> {
  await databases
    .inSchema('pg_catalog', database)
    .query(`CREATE SCHEMA IF NOT EXISTS ${identifier(schema)}`)
    .catch(ignoreDuplicateSchema);
}

/** Grants rights in a schema to other roles than the login that created it. */
async function grantRights(
  databases: ServiceDatabases,
  { schema, database }: SchemaLocation,
  { toSites }: { toSites: boolean },
): Promise<void> {
  const { hasSiteRoles, servingRole } = databases;
  if (!hasSiteRoles) return;
  await databases.inSchema('pg_catalog', database).transaction(async (tx) => {
    if (toSites) await grantSites(tx, schema);
    if (servingRole !== undefined) await grantServing(tx, schema, servingRole);
  });
}

/** CREATE SCHEMA IF NOT EXISTS fails when another process creates the schema at the same moment. */
function ignoreDuplicateSchema(error: unknown): void {
  const code = (error as { code?: string }).code;
  if (code !== '23505' && code !== '42P06') throw error;
}
