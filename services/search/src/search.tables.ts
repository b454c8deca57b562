import type { ServiceTables } from '@quire/tenancy';
import { collectionsMigration, differencesMigration } from './collections/index.js';
import { tasksMigration } from './tasks/index.js';

/** The search service's tables: one set a tenant, and what is to be done across tenants. The engine makes its own. */
export const searchTables: ServiceTables = {
  tenant: [collectionsMigration, differencesMigration],
  shared: [tasksMigration],
};
