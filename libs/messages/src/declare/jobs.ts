import { PublishScheduledEntrySchema } from '../generated/quire/content/v1/scheduling_pb.js';
import { declareJob, type JobDeclaration } from './declare-job.js';

/** The time of a scheduled publication has come. A sweep does the same for those that this job missed. */
export const publishScheduledEntry = declareJob({
  name: 'publish-scheduled-entry',
  queue: 'content',
  target: 'content-worker',
  message: PublishScheduledEntrySchema,
  endings: ['published', 'stale', 'gone', 'refused'],
  attempts: 5,
  backoffMs: 1_000,
  concurrency: 8,
  lockSeconds: 30,
  maximumStalls: 3,
  keepCompleted: 1_000,
  keepFailed: 5_000,
});

/** Every job there is: boot fails when one of a target's jobs has no handler, or two (style 26). */
export const jobs: readonly JobDeclaration[] = [publishScheduledEntry];
