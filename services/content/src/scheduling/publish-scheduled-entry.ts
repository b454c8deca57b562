import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '@quire/context';
import { dateOf, type PublishScheduledEntry } from '@quire/messages';
import type { EntryServices } from '../entries/index.js';
import { publishDueEntry, type PublicationEnding } from './publish-due-entry.js';

/** A queue may wake us a little before the time on this machine's clock. */
const longestWaitMs = 2_000;

/**
 * Handles the delayed job of a schedule. Running twice is harmless: the second finds no schedule with that time.
 */
export async function publishScheduledEntryJob(
  ctx: Context,
  services: EntryServices,
  { collection, entryId, scheduledAt }: PublishScheduledEntry,
): Promise<PublicationEnding> {
  if (!scheduledAt) return 'stale';
  const due = dateOf(scheduledAt);
  const earlyByMs = due.getTime() - Date.now();
  if (earlyByMs > 0) await wait(Math.min(earlyByMs, longestWaitMs));
  const { ending } = await publishDueEntry(ctx, services, {
    collection,
    id: entryId,
    dueAt: due.toISOString(),
  });
  return ending;
}
