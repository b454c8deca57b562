import { AuditedEventSchema } from '../generated/quire/audit/v1/events_pb.js';
import { CollectionChangedSchema, EntryChangedSchema } from '../generated/quire/content/v1/changes_pb.js';
import { CommentApprovedSchema } from '../generated/quire/content/v1/comments_pb.js';
import { PublishScheduledEntrySchema } from '../generated/quire/content/v1/scheduling_pb.js';
import { TransferApprovalRequestedSchema } from '../generated/quire/transfer/v1/approvals_pb.js';
import { RunImportSchema } from '../generated/quire/transfer/v1/imports_pb.js';
import { AdvanceTransferSchema } from '../generated/quire/transfer/v1/transfers_pb.js';
import { DownloadMediaSchema } from '../generated/quire/transfer/v1/media_pb.js';
import { declareJob, type JobDeclaration } from './declare-job.js';

/**
 * BullMQ reads all retained jobs of a queue whenever a job of it ends. Nothing else reads them but the check of a
 * repeated id, which the dispatcher needs for seconds.
 */
const retention = { keepCompleted: 50, keepFailed: 500 } as const;

/** Publishes a scheduled entry at its time. The runner of `schedules` publishes entries that this job missed. */
export const publishScheduledEntry = declareJob({
  name: 'publish-scheduled-entry',
  queue: 'content',
  target: 'content-worker',
  message: PublishScheduledEntrySchema,
  outcomes: ['published', 'stale', 'not-found', 'rejected', 'paused'],
  attempts: 5,
  backoffMs: 1_000,
  concurrency: 8,
  lockSeconds: 30,
  maxStalls: 3,
  ...retention,
});

/** Settings of the jobs that process changes: many short runs, each repeatable. */
const changeJob = {
  attempts: 8,
  backoffMs: 500,
  concurrency: 8,
  lockSeconds: 30,
  maxStalls: 3,
  ...retention,
} as const;

/** Over half a day: a change that is not recorded until then is lost, and outages of stores are shorter. */
const recordingAttempts = 18;

/** Indexes the media that a changed entry uses. */
export const indexMediaUsageEntry = declareJob({
  ...changeJob,
  attempts: recordingAttempts,
  name: 'media-usage.index-entry',
  queue: 'media',
  target: 'media-worker',
  message: EntryChangedSchema,
  outcomes: ['indexed', 'removed', 'superseded', 'recorded', 'failed'],
});

/** Brings the media usage index in line with a changed or deleted collection. */
export const syncMediaUsageCollection = declareJob({
  ...changeJob,
  attempts: recordingAttempts,
  name: 'media-usage.sync-collection',
  queue: 'media',
  target: 'media-worker',
  message: CollectionChangedSchema,
  outcomes: ['recorded', 'deleted'],
});

/** Indexes a changed entry for search. */
export const indexSearchEntry = declareJob({
  ...changeJob,
  attempts: recordingAttempts,
  name: 'search.index-entry',
  queue: 'search',
  target: 'search-worker',
  message: EntryChangedSchema,
  // Runs of one collection are gathered into batches.
  concurrency: 32,
  outcomes: ['indexed', 'ignored', 'postponed'],
});

/** Reconciles the search index of a changed or deleted collection. */
export const syncSearchCollection = declareJob({
  ...changeJob,
  attempts: recordingAttempts,
  name: 'search.sync-collection',
  queue: 'search',
  target: 'search-worker',
  message: CollectionChangedSchema,
  outcomes: ['unchanged', 'rebuilt', 'incomplete', 'postponed', 'disabled', 'deleted'],
});

/** Makes a collection searchable that an import has created. */
export const enableSearchOfCollection = declareJob({
  ...changeJob,
  name: 'search.enable-collection',
  queue: 'search',
  target: 'search-worker',
  message: CollectionChangedSchema,
  outcomes: ['enabled', 'postponed', 'not-searchable', 'deleted'],
});

/**
 * Queues the mail that notifies the author of an entry of an approved comment. The mail queue retries mails that the
 * mail server rejects.
 */
export const notifyCommentApproved = declareJob({
  ...changeJob,
  name: 'notify-comment-approved',
  queue: 'auth',
  target: 'auth-worker',
  message: CommentApprovedSchema,
  outcomes: ['queued', 'no-recipient', 'disabled'],
});

/** Queues the mails that notify administrators of a request to approve a site transfer. */
export const notifyTransferApproval = declareJob({
  ...changeJob,
  name: 'notify-transfer-approval',
  queue: 'auth',
  target: 'auth-worker',
  message: TransferApprovalRequestedSchema,
  outcomes: ['queued', 'no-recipient', 'expired', 'disabled'],
});

/** Days of attempts: an outage of a database loses no event. */
const auditAttempts = 22;

/** Appends an event of another service to the audit log of its site. */
export const recordAuditEvent = declareJob({
  ...changeJob,
  attempts: auditAttempts,
  name: 'record-audit-event',
  queue: 'audit',
  target: 'auth-worker',
  message: AuditedEventSchema,
  outcomes: ['recorded', 'known'],
});

/** Takes steps of an import until its time is over. The runner of `import_steps` continues an import without a job. */
export const runImport = declareJob({
  ...changeJob,
  name: 'run-import',
  queue: 'transfer',
  target: 'transfer-worker',
  message: RunImportSchema,
  // Steps of imports of several sites.
  concurrency: 2,
  lockSeconds: 60,
  outcomes: ['finished', 'continued', 'leased', 'paused', 'ended'],
});

/** Wakes a worker for the downloads of a media import. All workers look for due downloads by themselves as well. */
export const downloadMedia = declareJob({
  ...changeJob,
  name: 'download-media',
  queue: 'transfer',
  target: 'transfer-worker',
  message: DownloadMediaSchema,
  outcomes: ['woken'],
});

/** Takes steps of a site transfer until its time is over. The runner of `transfer_steps` does so without a job too. */
export const advanceTransfer = declareJob({
  ...changeJob,
  name: 'advance-transfer',
  queue: 'transfer',
  target: 'transfer-worker',
  message: AdvanceTransferSchema,
  // Steps of transfers of several sites.
  concurrency: 2,
  lockSeconds: 60,
  outcomes: ['finished', 'continued', 'postponed', 'leased', 'ended'],
});

/** All jobs. Boot fails when a job of a started target has no handler, or two (style 26). */
export const jobs: readonly JobDeclaration[] = [
  publishScheduledEntry,
  indexMediaUsageEntry,
  syncMediaUsageCollection,
  indexSearchEntry,
  syncSearchCollection,
  enableSearchOfCollection,
  notifyCommentApproved,
  notifyTransferApproval,
  recordAuditEvent,
  runImport,
  downloadMedia,
  advanceTransfer,
];
