import { outboxMigration } from '@quire/jobs';
import type { ServiceTables } from '@quire/tenancy';
import { importStepsMigration } from './shared/0001-import-steps.js';
import { importsMigration } from './tenant/0001-imports.js';

/** The transfer service's migrations in order: those of each tenant's schema, and those of the shared schema. */
export const transferTables: ServiceTables = {
  tenant: [importsMigration],
  shared: [importStepsMigration, outboxMigration],
};
