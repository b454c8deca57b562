import {
  outboxFailureMigration,
  outboxTenantMigration,
  outboxMigration,
  outboxTraceMigration,
} from '@quire/jobs';
import type { ServiceTables } from '@quire/tenancy';
import { importStepsMigration } from './shared/0001-import-steps.js';
import { mediaDownloadTasksMigration } from './shared/0010-media-download-tasks.js';
import { fencingTokensMigration } from './shared/0040-fencing-tokens.js';
import { transferStepsMigration } from './shared/0030-transfer-steps.js';
import { importsMigration } from './tenant/0001-imports.js';
import { mediaImportsMigration } from './tenant/0010-media-imports.js';
import { mediaAddressesMigration } from './tenant/0011-media-addresses.js';
import { importConnectionsMigration } from './tenant/0020-import-connections.js';
import { transferOperationsMigration } from './tenant/0030-transfer-operations.js';
import { siteImportsMigration } from './tenant/0031-site-imports.js';
import { transferApprovalsMigration } from './tenant/0032-transfer-approvals.js';
import { importFileCountsMigration } from './tenant/0035-import-file-counts.js';
import { importKeysMigration } from './tenant/0036-import-keys.js';

/** The transfer service's migrations in order: those of each tenant's schema, and those of the shared schema. */
export const transferTables: ServiceTables = {
  tenant: [
    importsMigration,
    mediaImportsMigration,
    mediaAddressesMigration,
    importConnectionsMigration,
    transferOperationsMigration,
    siteImportsMigration,
    transferApprovalsMigration,
    importFileCountsMigration,
    importKeysMigration,
  ],
  shared: [
    importStepsMigration,
    mediaDownloadTasksMigration,
    transferStepsMigration,
    outboxMigration,
    fencingTokensMigration,
    outboxFailureMigration,
    outboxTenantMigration,
    outboxTraceMigration,
  ],
  objectKeys: [
    { table: 'imports', column: 'file_key' },
    { table: 'transfer_files', column: 'object_key' },
  ],
};
