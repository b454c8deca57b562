import { idempotencyKeysMigration } from '@quire/idempotency';
import { outboxMigration } from '@quire/messages';
import type { ServiceTables } from '@quire/tenancy';
import { objectDeletionsMigration } from './shared/0001-doomed-objects.js';
import { usageWorkMigration } from './shared/0010-usage-work.js';
import { foldersMigration } from './tenant/0001-folders.js';
import { itemsMigration } from './tenant/0002-items.js';
import { variantsMigration } from './tenant/0003-variants.js';
import { usageMigration } from './tenant/0010-usage.js';
import { activationMigration } from './tenant/0030-usage-activation.js';
import { fileChangesMigration } from './tenant/0040-file-changes.js';
import { usageCountsMigration } from './tenant/0050-usage-counts.js';
import { variantUsesMigration } from './tenant/0051-variant-uses.js';

/** The media service's migrations in order: those of each tenant's schema, and those of the shared schema. */
export const mediaTables: ServiceTables = {
  tenant: [
    foldersMigration,
    itemsMigration,
    variantsMigration,
    usageMigration,
    activationMigration,
    fileChangesMigration,
    usageCountsMigration,
    variantUsesMigration,
  ],
  shared: [
    objectDeletionsMigration,
    usageWorkMigration,
    outboxMigration,
    idempotencyKeysMigration('0011-idempotency-keys'),
  ],
};
