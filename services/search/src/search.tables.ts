import { outboxMigration } from '@quire/messages';
import type { ServiceTables } from '@quire/tenancy';
import { collectionsMigration, differencesMigration, formatsMigration } from './collections/index.js';
import { tasksMigration } from './tasks/index.js';

/**
 * The search service's tables: one set a tenant, and across tenants what is to be done and its outbox. The engine makes
 * its own.
 */
export const searchTables: ServiceTables = {
  tenant: [collectionsMigration, differencesMigration, formatsMigration],
  shared: [tasksMigration, outboxMigration],
};
