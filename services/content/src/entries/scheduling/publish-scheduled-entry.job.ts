import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '@quire/context';
import { dateOf, type PublishScheduledEntry } from '@quire/jobs';
import { publishEntryIfDue, type PublicationDeps, type PublicationOutcome } from './publish-entry-if-due.js';

/** The queue may deliver a job a little before its time on this process's clock. */
const maxWaitMs = 2_000;

/**
 * Handles the delayed job of a schedule. Running twice is harmless: the second finds no schedule with that time. On a
 * read-only site it leaves the publication to `missedSchedulesRunner`.
 */
export async function publishScheduledEntryJob(
  ctx: Context,
  deps: PublicationDeps,
  { collection, entryId, scheduledAt }: PublishScheduledEntry,
): Promise<PublicationOutcome> {
  if (!scheduledAt) return 'stale';
  const due = dateOf(scheduledAt);
  const earlyByMs = due.getTime() - Date.now();
  if (earlyByMs > 0) await wait(Math.min(earlyByMs, maxWaitMs));
  const { outcome } = await publishEntryIfDue(ctx, deps, {
    collection,
    id: entryId,
    dueAt: due.toISOString(),
  });
  return outcome;
}
