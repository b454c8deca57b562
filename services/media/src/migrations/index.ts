import { idempotencyKeysMigration } from '@quire/idempotency';
import {
  outboxFailureMigration,
  outboxTenantMigration,
  outboxMigration,
  outboxTraceMigration,
} from '@quire/jobs';
import type { ServiceTables } from '@quire/tenancy';
import { objectDeletionsMigration } from './shared/0001-doomed-objects.js';
import { usageWorkMigration } from './shared/0010-usage-work.js';
import { objectDeletionNamesMigration } from './shared/0012-object-deletions.js';
import { usageWorkColumnsMigration } from './shared/0013-usage-work-columns.js';
import { foldersMigration } from './tenant/0001-folders.js';
import { itemsMigration } from './tenant/0002-items.js';
import { variantsMigration } from './tenant/0003-variants.js';
import { usageMigration } from './tenant/0010-usage.js';
import { activationMigration } from './tenant/0030-usage-activation.js';
import { fileChangesMigration } from './tenant/0040-file-changes.js';
import { usageCountsMigration } from './tenant/0050-usage-counts.js';
import { variantUsesMigration } from './tenant/0051-variant-uses.js';
import { usageSubscriptionMigration } from './tenant/0052-usage-subscription.js';
import { keptObjectsMigration } from './tenant/0060-kept-objects.js';
import { itemListsMigration } from './tenant/0061-item-lists.js';
import { usageCountersMigration } from './tenant/0070-usage-counters.js';
import { itemsByContentMigration } from './tenant/0071-items-by-content.js';
import { itemNamesMigration } from './tenant/0072-item-names.js';
import { storageUseMigration } from './tenant/0073-storage-use.js';
import { fencingTokens } from '../site-records/fencing-tokens.js';
import { stagedRecords } from '../site-records/staged-records.js';

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
    usageSubscriptionMigration,
    keptObjectsMigration,
    itemListsMigration,
    usageCountersMigration,
    itemsByContentMigration,
    itemNamesMigration,
    stagedRecords.migration,
    fencingTokens.migration,
    storageUseMigration,
  ],
  shared: [
    objectDeletionsMigration,
    usageWorkMigration,
    outboxMigration,
    idempotencyKeysMigration('0011-idempotency-keys'),
    objectDeletionNamesMigration,
    usageWorkColumnsMigration,
    outboxFailureMigration,
    outboxTenantMigration,
    outboxTraceMigration,
  ],
};
