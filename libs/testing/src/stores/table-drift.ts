import type { DatabaseOptions } from '@quire/database';
import type { ServiceTables } from '@quire/tenancy';
import { testStores } from './stores.js';

/** The statements that would bring a tenant's migrated tables to the state of the entities; empty without drift. */
export async function tableDrift(
  service: string,
  tables: ServiceTables,
  entities: NonNullable<DatabaseOptions['entities']>,
): Promise<string[]> {
  // Imported only here: suites against a running system load none of its libraries.
  const { schemaDrift } = await import('@quire/database');
  const { migrateShared, migrateTenant, removeTenant, ServiceDatabases, tenantSchema } =
    await import('@quire/tenancy');
  const connection = { url: testStores().databaseUrl, poolSize: 1, applicationName: 'drift', entities };
  const databases = await ServiceDatabases.open({ ...connection, service, extraUrls: new Map() });
  const tenant = { id: `drift-of-${service}`, database: null };
  try {
    await migrateShared(databases, tables);
    await migrateTenant(databases, tables, tenant);
    return await schemaDrift(connection, tenantSchema(tenant));
  } finally {
    await removeTenant(databases, tables, tenant);
    await databases.close();
  }
}
