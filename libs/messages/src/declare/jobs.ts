import { AuditedEventSchema } from '../generated/quire/audit/v1/events_pb.js';
import { CollectionChangedSchema, EntryChangedSchema } from '../generated/quire/content/v1/changes_pb.js';
import { CommentApprovedSchema } from '../generated/quire/content/v1/comments_pb.js';
import { PublishScheduledEntrySchema } from '../generated/quire/content/v1/scheduling_pb.js';
import { declareJob, type JobDeclaration } from './declare-job.js';

/** The time of a scheduled publication has come. A sweep does the same for those that this job missed. */
export const publishScheduledEntry = declareJob({
  name: 'publish-scheduled-entry',
  queue: 'content',
  target: 'content-worker',
  message: PublishScheduledEntrySchema,
  outcomes: ['published', 'stale', 'gone', 'refused'],
  attempts: 5,
  backoffMs: 1_000,
  concurrency: 8,
  lockSeconds: 30,
  maxStalls: 3,
  keepCompleted: 1_000,
  keepFailed: 5_000,
});

/** What runs the jobs that follow content have in common: many short ones, each repeatable. */
const following = {
  attempts: 8,
  backoffMs: 500,
  concurrency: 8,
  lockSeconds: 30,
  maxStalls: 3,
  keepCompleted: 1_000,
  keepFailed: 5_000,
} as const;

/** Over half a day: what is not noted until then is lost, and stores are back before. */
const mediaUsageAttempts = 18;

/** The media that an entry uses are to be indexed anew. */
export const indexMediaUsage = declareJob({
  ...following,
  attempts: mediaUsageAttempts,
  name: 'index-media-usage',
  queue: 'media',
  target: 'media-worker',
  message: EntryChangedSchema,
  outcomes: ['indexed', 'removed', 'superseded', 'noted', 'failed'],
});

/** A collection whose media usage is indexed has changed. */
export const followMediaUsageCollection = declareJob({
  ...following,
  attempts: mediaUsageAttempts,
  name: 'follow-media-usage-collection',
  queue: 'media',
  target: 'media-worker',
  message: CollectionChangedSchema,
  outcomes: ['noted', 'deleted'],
});

/** What is found of an entry is to be indexed anew. */
export const indexSearch = declareJob({
  ...following,
  name: 'index-search',
  queue: 'search',
  target: 'search-worker',
  message: EntryChangedSchema,
  // They wait for each other and are taken in batches.
  concurrency: 32,
  outcomes: ['indexed', 'ignored', 'postponed'],
});

/** A collection that can be searched has changed. */
export const followSearchCollection = declareJob({
  ...following,
  name: 'follow-search-collection',
  queue: 'search',
  target: 'search-worker',
  message: CollectionChangedSchema,
  outcomes: ['noted', 'rebuilt', 'unfinished', 'off', 'deleted'],
});

/**
 * The author of an entry is to hear of a comment on it. What the mail server refuses is tried again by the mail queue.
 */
export const mailApprovedComment = declareJob({
  ...following,
  name: 'mail-approved-comment',
  queue: 'auth',
  target: 'auth-worker',
  message: CommentApprovedSchema,
  outcomes: ['queued', 'nobody', 'off'],
});

/** Days: an event that was done is not to be missing because a database was away. */
const auditAttempts = 22;

/** An event of another service is to be appended to the audit log of its site. */
export const recordAuditEvent = declareJob({
  ...following,
  attempts: auditAttempts,
  name: 'record-audit-event',
  queue: 'audit',
  target: 'auth-worker',
  message: AuditedEventSchema,
  outcomes: ['recorded', 'known'],
});

/** Every job there is: boot fails when one of a target's jobs has no handler, or two (style 26). */
export const jobs: readonly JobDeclaration[] = [
  publishScheduledEntry,
  indexMediaUsage,
  followMediaUsageCollection,
  indexSearch,
  followSearchCollection,
  mailApprovedComment,
  recordAuditEvent,
];
