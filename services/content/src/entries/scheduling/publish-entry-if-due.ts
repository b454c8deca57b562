import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { saveEntry, planPublish, type EntryDeps, type EntryTarget } from '../index.js';

/** How a due publication ended. `refused`: the entry may not go live as it is; it stays scheduled. */
export type PublicationOutcome = 'published' | 'stale' | 'not-found' | 'rejected';

export interface DueEntry extends EntryTarget {
  /** The time that was asked for. An entry whose schedule says another time is left to that other request. */
  dueAt: string;
}

/**
 * Publishes a due entry. Any number of workers may try at once: the write names the state that was read, and the second
 * one finds no schedule any more.
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
