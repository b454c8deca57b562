import type { Context } from '@quire/context';
import { loadEntry, withDefinition, type EntryDeps, type EntryTarget } from '../../index.js';
import { selectRevisions, type Revision } from '../revisions.repository.js';

/** The revisions of an entry, newest first. @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND. */
export async function listRevisions(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
  limit: number,
): Promise<{ items: Revision[]; total: number }> {
  return withDefinition(ctx, deps, target.collection, async (definition) => {
    const { id } = await loadEntry(ctx.db, deps, definition, target, { rows: 'not-trashed' });
    return selectRevisions(ctx.db, id, limit);
  });
}
