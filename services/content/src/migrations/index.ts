import { idempotencyKeysMigration } from '@quire/idempotency';
import {
  outboxFailureMigration,
  outboxTenantMigration,
  outboxMigration,
  outboxTraceMigration,
} from '@quire/jobs';
import type { ServiceTables } from '@quire/tenancy';
import { fencingTokens, stagedRecords } from '../site-transfer/index.js';
import { schedulesMigration } from './shared/0002-schedules.js';
import { announceEntryChangeMigration } from './shared/0003-announce-entry-change.js';
import { searchVersionsMigration } from './shared/0004-search-versions.js';
import { schedulerHeartbeatMigration } from './shared/0005-scheduler-heartbeat.js';
import { notifyFunctionMigration } from './shared/0006-notify-entry-change.js';
import { scheduleColumnsMigration } from './shared/0007-schedule-columns.js';
import { messageIdsMigration } from './shared/0008-message-ids.js';
import { deletionWorkMigration } from './shared/0063-deletion-work.js';
import { tenantOfMessagesMigration } from './shared/0071-tenant-of-messages.js';
import { schedulesByTenantMigration } from './shared/0072-schedules-by-tenant.js';
import { schemaAndRevisionsMigration } from './tenant/0001-schema-and-revisions.js';
import { bylinesMigration } from './tenant/0002-bylines.js';
import { entryLocksMigration } from './tenant/0003-entry-locks.js';
import { blockTypesMigration } from './tenant/0004-block-types.js';
import { relationsMigration } from './tenant/0005-relations.js';
import { taxonomiesMigration } from './tenant/0010-taxonomies.js';
import { sectionsMigration } from './tenant/0020-sections.js';
import { widgetsMigration } from './tenant/0021-widgets.js';
import { menusMigration } from './tenant/0022-menus.js';
import { commentsMigration } from './tenant/0030-comments.js';
import { settingsMigration } from './tenant/0040-settings.js';
import { redirectsMigration } from './tenant/0041-redirects.js';
import { notFoundLogMigration } from './tenant/0042-not-found-log.js';
import { changeFollowersMigration } from './tenant/0050-change-followers.js';
import { writeFencesMigration } from './tenant/0051-write-fences.js';
import { commentNoticesMigration } from './tenant/0052-comment-notices.js';
import { entryEditorsMigration } from './tenant/0053-entry-editors.js';
import { announceDraftsMigration } from './tenant/0054-announce-drafts.js';
import { previewKeysMigration } from './tenant/0055-preview-keys.js';
import { subscriptionNamesMigration } from './tenant/0056-change-subscriptions.js';
import { readOnlyModesMigration } from './tenant/0057-read-only-modes.js';
import { importRecordsMigration } from './tenant/0058-import-records.js';
import { importErrorsMigration } from './tenant/0059-import-errors.js';
import { importParentsMigration } from './tenant/0060-import-parents.js';
import { listIndexesMigration } from './tenant/0061-list-indexes.js';
import { termSlugsMigration } from './tenant/0062-term-slugs.js';
import { deletionsMigration } from './tenant/0063-deletions.js';
import { slugNumbersMigration } from './tenant/0064-slug-numbers.js';
import { commentCountsMigration } from './tenant/0065-comment-counts.js';
import { redirectLookupsMigration } from './tenant/0066-redirect-lookups.js';
import { linkOrderMigration } from './tenant/0067-link-order.js';
import { termCountsMigration } from './tenant/0068-term-counts.js';
import { entryCountsMigration } from './tenant/0069-entry-counts.js';
import { contentChangesMigration } from './tenant/0070-content-changes.js';
import { entryLimitMigration } from './tenant/0073-entry-limit.js';
import { draftTitlesMigration } from './tenant/0074-draft-titles.js';
import { editedIndexesMigration } from './tenant/0075-edited-indexes.js';

/**
 * The fixed tables of the content service, in the order in which they are created: `tenant` once for each site,
 * `shared` once for each database.
 */
export const contentTables: ServiceTables = {
  tenant: [
    schemaAndRevisionsMigration,
    bylinesMigration,
    entryLocksMigration,
    blockTypesMigration,
    relationsMigration,
    taxonomiesMigration,
    sectionsMigration,
    widgetsMigration,
    menusMigration,
    commentsMigration,
    settingsMigration,
    redirectsMigration,
    notFoundLogMigration,
    changeFollowersMigration,
    writeFencesMigration,
    commentNoticesMigration,
    entryEditorsMigration,
    announceDraftsMigration,
    previewKeysMigration,
    subscriptionNamesMigration,
    readOnlyModesMigration,
    importRecordsMigration,
    importErrorsMigration,
    importParentsMigration,
    listIndexesMigration,
    termSlugsMigration,
    deletionsMigration,
    slugNumbersMigration,
    commentCountsMigration,
    redirectLookupsMigration,
    linkOrderMigration,
    termCountsMigration,
    entryCountsMigration,
    contentChangesMigration,
    stagedRecords.migration,
    fencingTokens.migration,
    entryLimitMigration,
    draftTitlesMigration,
    editedIndexesMigration,
  ],
  shared: [
    outboxMigration,
    schedulesMigration,
    announceEntryChangeMigration,
    searchVersionsMigration,
    idempotencyKeysMigration('0005-idempotency-keys'),
    schedulerHeartbeatMigration,
    notifyFunctionMigration,
    scheduleColumnsMigration,
    messageIdsMigration,
    deletionWorkMigration,
    outboxFailureMigration,
    outboxTenantMigration,
    outboxTraceMigration,
    tenantOfMessagesMigration,
    schedulesByTenantMigration,
  ],
};
