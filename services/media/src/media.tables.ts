import { idempotencyKeysMigration } from '@quire/idempotency';
import { outboxMigration } from '@quire/messages';
import type { ServiceTables } from '@quire/tenancy';
import { foldersMigration } from './folders/index.js';
import { fileChangesMigration, itemsMigration } from './items/index.js';
import { objectDeletionsMigration } from './objects/index.js';
import {
  activationMigration,
  usageCountsMigration,
  usageMigration,
  usageWorkMigration,
} from './usage/index.js';
import { variantsMigration, variantUsesMigration } from './variants/index.js';

/** The media service's tables: one set a tenant, and across tenants its outbox, the objects
 * that are to be deleted and the work of the usage index. */
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
