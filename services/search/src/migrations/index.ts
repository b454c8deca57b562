import {
  outboxFailureMigration,
  outboxTenantMigration,
  outboxMigration,
  outboxTraceMigration,
} from '@quire/jobs';
import type { ServiceTables } from '@quire/tenancy';
import { tasksMigration } from './shared/0001-search-tasks.js';
import { reconcileTasksMigration } from './shared/0002-reconcile-tasks.js';
import { indexInspectionsMigration } from './shared/0011-index-inspections.js';
import { collectionsMigration } from './tenant/0001-search-collections.js';
import { differencesMigration } from './tenant/0002-search-differences.js';
import { formatsMigration } from './tenant/0003-search-formats.js';
import { searchCountsMigration } from './tenant/0004-search-counts.js';
import { searchWordsMigration } from './tenant/0010-search-words.js';
import { fencingTokens } from '../site-records/fencing-tokens.js';
import { stagedRecords } from '../site-records/staged-records.js';

/**
 * The search service's migrations in order: those of each tenant's schema, and those of the shared schema. The engine
 * creates its own tables.
 */
export const searchTables: ServiceTables = {
  tenant: [
    collectionsMigration,
    differencesMigration,
    formatsMigration,
    searchCountsMigration,
    searchWordsMigration,
    stagedRecords.migration,
    fencingTokens.migration,
  ],
  shared: [
    tasksMigration,
    outboxMigration,
    reconcileTasksMigration,
    outboxFailureMigration,
    outboxTenantMigration,
    outboxTraceMigration,
    indexInspectionsMigration,
  ],
};
