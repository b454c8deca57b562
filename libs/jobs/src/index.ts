export {
  connectQueueBackend,
  PostponedJobError,
  type QueueBackend,
  type QueueLogger,
} from './backend/index.js';
export { OutboxAdministration, type Outbox, type PendingMessages } from './admin/outbox-administration.js';
export {
  QueueAdministration,
  type FailedJob,
  type JobFilter,
  type QueueSummary,
  type TopSites,
  observeQueues,
  type ObservedQueue,
} from './admin/queue-administration.js';
export { SiteJobs, type FailedSiteJob, type JobsOfSite, type SiteQueue } from './admin/site-jobs.js';
export { timestampDate as dateOf, timestampFromDate as timestampOf } from '@bufbuild/protobuf/wkt';
export { type JobDeclaration } from './declare/declare-job.js';
export {
  advanceTransfer,
  syncMediaUsageCollection,
  syncSearchCollection,
  downloadMedia,
  enableSearchOfCollection,
  indexMediaUsageEntry,
  indexSearchEntry,
  jobs,
  notifyCommentApproved,
  notifyTransferApproval,
  publishScheduledEntry,
  recordAuditEvent,
  runImport,
} from './declare/jobs.js';
export { OutboxDispatcher, type DispatcherOptions } from './dispatcher/outbox-dispatcher.js';
export type { AuditedEvent } from './generated/quire/audit/v1/events_pb.js';
export type { CollectionChanged, EntryChanged } from './generated/quire/content/v1/changes_pb.js';
export type { CommentApproved } from './generated/quire/content/v1/comments_pb.js';
export type { PublishScheduledEntry } from './generated/quire/content/v1/scheduling_pb.js';
export type { TransferApprovalRequested } from './generated/quire/transfer/v1/approvals_pb.js';
export type { RunImport } from './generated/quire/transfer/v1/imports_pb.js';
export type { AdvanceTransfer } from './generated/quire/transfer/v1/transfers_pb.js';
export {
  outboxInsert,
  outboxFailureMigration,
  outboxTenantMigration,
  outboxMigration,
  outboxRow,
  outboxTraceMigration,
  sendMessage,
  sendMessages,
  type OutboxRow,
} from './outbox/outbox.js';
export { PausedSites } from './pause/paused-sites.js';
export { CacheInvalidationBus, type CacheTopic } from './relay/cache-invalidation-bus.js';
export { BatchLoader } from './worker/batch-loader.js';
export {
  jobHandler,
  startWorkers,
  type JobResult,
  type JobHandler,
  type WorkersOptions,
} from './worker/start-workers.js';
