import type { Context } from '@quire/context';
import type { DatabaseOptions } from '@quire/database';
import type { ServiceDatabases, ServiceTables, Tenant } from '@quire/tenancy';
import { testStores } from './stores.js';

/** A tenant in the tables of a service that does not run, for calls of its operations. */
export interface ServiceTenant {
  tenant: Tenant;
  databases: ServiceDatabases;
  /** The context of system work for the tenant. */
  ctx: Context;
  /** Removes the tenant. */
  close(): Promise<void>;
}

/** @param name unique name of the tenant */
export async function openServiceTenant(
  name: string,
  service: string,
  tables: ServiceTables,
  entities: NonNullable<DatabaseOptions['entities']>,
): Promise<ServiceTenant> {
  // Imported only here: suites against a running system load none of its libraries.
  const { systemActor } = await import('@quire/context');
  const { migrateShared, migrateTenant, removeTenant, ServiceDatabases } = await import('@quire/tenancy');
  const databases = await ServiceDatabases.open({
    service,
    url: testStores().databaseUrl,
    extraUrls: new Map(),
    poolSize: 4,
    applicationName: name,
    entities,
  });
  const tenant = { id: name, database: null };
  await migrateShared(databases, tables);
  await migrateTenant(databases, tables, tenant);
  const principal = systemActor(tenant, 'system:tests');
  return {
    tenant,
    databases,
    ctx: { principal, requestId: '1', clientAddress: null, origin: null, db: databases.tenant(tenant) },
    close: async () => {
      await removeTenant(databases, tables, tenant);
      await databases.close();
    },
  };
}
