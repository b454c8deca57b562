import type { DatabaseOptions } from '@quire/database';
import type { ServiceTables } from '@quire/tenancy';
import { testStores } from './stores.js';

/**
 * What a tenant's fixed tables, made by the service's migrations, lack of what its entities say: nothing, one hopes.
 */
export async function tableDrift(
  service: string,
  tables: ServiceTables,
  entities: NonNullable<DatabaseOptions['entities']>,
): Promise<string[]> {
  // Only here: suites that talk to a running system load none of its libraries.
  const { schemaDrift } = await import('@quire/database');
  const { migrateTenant, removeTenant, ServiceDatabases, tenantSchema } = await import('@quire/tenancy');
  const connection = { url: testStores().databaseUrl, poolSize: 1, applicationName: 'drift', entities };
  const databases = await ServiceDatabases.open({ ...connection, service, extraUrls: new Map() });
  const tenant = { id: `drift-of-${service}`, database: null };
  try {
    await migrateTenant(databases, tables, tenant);
    return await schemaDrift(connection, tenantSchema(tenant));
  } finally {
    await removeTenant(databases, tenant);
    await databases.close();
  }
}
