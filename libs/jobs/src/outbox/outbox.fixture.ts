import { migrateShared, ServiceDatabases } from '@quire/tenancy';
import { testStores } from '@quire/testing';
import {
  outboxFailureMigration,
  outboxMigration,
  outboxTenantMigration,
  outboxTraceMigration,
} from './outbox.js';

/** Opens the databases of a service of its own that has an outbox. @param name of the spec */
export async function openOutbox(name: string): Promise<{ service: string; databases: ServiceDatabases }> {
  const service = `${name}_${process.pid}`;
  const databases = await ServiceDatabases.open({
    service,
    url: testStores().databaseUrl,
    extraUrls: new Map(),
    poolSize: 8,
    applicationName: name,
  });
  const shared = [outboxMigration, outboxFailureMigration, outboxTenantMigration, outboxTraceMigration];
  await migrateShared(databases, { tenant: [], shared });
  return { service, databases };
}
