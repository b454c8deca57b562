import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { changeEntry, goLive, type EntryServices, type EntryTarget } from '../entries/index.js';

/** How a due publication ended. `refused`: the entry may not go live as it is; it stays scheduled. */
export type PublicationEnding = 'published' | 'stale' | 'gone' | 'refused';

export interface DuePublication extends EntryTarget {
  /** The time that was asked for. An entry whose schedule says another time is left to that other request. */
  dueAt: string;
}

/**
 * Publishes an entry whose time has come. Any number of workers may try at once: the write names the state that was read,
 * and whoever comes second finds no schedule any more.
 * @returns how it ended, and for a refusal why.
 */
export async function publishDueEntry(
  ctx: Context,
  services: EntryServices,
  { dueAt, ...target }: DuePublication,
): Promise<{ ending: PublicationEnding; reason?: string }> {
  let ending: PublicationEnding = 'stale';
  try {
    await changeEntry(ctx, services, target, async (definition, row, sql) => {
      const isDue = row.scheduledAt === dueAt && Date.parse(dueAt) <= Date.now();
      ending = isDue ? 'published' : 'stale';
      return isDue ? goLive(sql, definition, row, { actorId: null }) : undefined;
    });
    return { ending };
  } catch (error) {
    if (!(error instanceof QuireError)) throw error;
    if (error.code === 'NOT_FOUND' || error.code === 'COLLECTION_NOT_FOUND') return { ending: 'gone' };
    if (error.status >= 500) throw error;
    return { ending: 'refused', reason: error.message };
  }
}
