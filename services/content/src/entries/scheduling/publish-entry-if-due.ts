import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { saveEntry, planPublish, type EntryDeps, type EntryTarget } from '../index.js';

/** The outcome of a due publication. `rejected`: the entry is invalid for publication and stays scheduled. */
export type PublicationOutcome = 'published' | 'stale' | 'not-found' | 'rejected';

export interface DueEntry extends EntryTarget {
  /** The requested time. An entry with another scheduled time is left to that schedule. */
  dueAt: string;
}

/**
 * Publishes a due entry. Several workers may try at the same time: the write names the state that was read, and the
 * second worker finds no schedule.
 * @returns the outcome, and the reason of a rejection.
 */
export async function publishEntryIfDue(
  ctx: Context,
  deps: EntryDeps,
  { dueAt, ...target }: DueEntry,
): Promise<{ outcome: PublicationOutcome; reason?: string }> {
  let outcome: PublicationOutcome = 'stale';
  try {
    await saveEntry(ctx, deps, target, async (entry) => {
      const isDue = entry.row.scheduledAt === dueAt && Date.parse(dueAt) <= Date.now();
      outcome = isDue ? 'published' : 'stale';
      return isDue ? planPublish(entry, { actorId: null }) : undefined;
    });
    return { outcome };
  } catch (error) {
    if (!(error instanceof QuireError)) throw error;
    if (error.code === 'NOT_FOUND' || error.code === 'COLLECTION_NOT_FOUND') return { outcome: 'not-found' };
    if (error.status >= 500) throw error;
    return { outcome: 'rejected', reason: error.message };
  }
}
