import type { Context } from '@quire/context';
import { loadEntry, withDefinition, type EntryServices, type EntryTarget } from '../../entries/index.js';
import { revisionsOfEntry, type Revision } from '../revisions.repository.js';

/** The revisions of an entry, newest first. @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND. */
export async function listRevisions(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
  limit: number,
): Promise<{ items: Revision[]; total: number }> {
  return withDefinition(ctx, services, target.collection, async (definition) => {
    const { id } = await loadEntry(ctx.db, services, definition, target, { rows: 'not-trashed' });
    return revisionsOfEntry(ctx.db, id, limit);
  });
}
