import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { ReadOnlyReasons } from '@quire/tenancy';
import { saveEntryWithoutResponse, planPublish, type EntryDeps, type EntryTarget } from '../index.js';

/**
 * The outcome of a due publication. `rejected`: the entry is invalid for publication and stays scheduled. `paused`: the
 * site is read-only, and the entry stays scheduled.
 */
export type PublicationOutcome = 'published' | 'stale' | 'not-found' | 'rejected' | 'paused';

export interface PublicationDeps {
  entryDeps: EntryDeps;
  /** The read-only sites: an import writes to them. */
  registry: ReadOnlyReasons;
  /** Gets the seconds between the requested time of a publication and the publication. */
  onPublished?: (lateSeconds: number) => void;
}

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
  { entryDeps, registry, onPublished }: PublicationDeps,
  { dueAt, ...target }: DueEntry,
): Promise<{ outcome: PublicationOutcome; reason?: string }> {
  if ((await registry.readOnlyReasonOf(ctx.principal.tenant.id)) !== undefined) return { outcome: 'paused' };
  let outcome: PublicationOutcome = 'stale';
  try {
    await saveEntryWithoutResponse(ctx, entryDeps, target, async (entry) => {
      const isDue = entry.row.scheduledAt === dueAt && Date.parse(dueAt) <= Date.now();
      outcome = isDue ? 'published' : 'stale';
      return isDue ? planPublish(entry, { actorId: null }) : undefined;
    });
    if ((outcome as PublicationOutcome) === 'published')
      onPublished?.((Date.now() - Date.parse(dueAt)) / 1000);
    return { outcome };
  } catch (error) {
    if (!(error instanceof QuireError)) throw error;
    if (error.code === 'NOT_FOUND' || error.code === 'COLLECTION_NOT_FOUND') return { outcome: 'not-found' };
    if (error.status >= 500) throw error;
    return { outcome: 'rejected', reason: error.message };
  }
}
