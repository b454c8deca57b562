import type { Context } from '@quire/context';
import { loadEntry, readableRows, withDefinition, type EntryTarget } from '../change-entry.js';
import { seesDrafts } from '../entries.policy.js';
import { entryAnswer, type EntryAnswer } from '../entry-answer.js';
import type { EntryServices } from '../entry-services.js';

/**
 * One entry by id or slug, with its draft laid over for those who may see drafts (spec document 1, Content entry).
 * @throws QuireError NOT_FOUND (also for what the caller may not see), COLLECTION_NOT_FOUND.
 */
export async function getEntry(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
): Promise<EntryAnswer> {
  return withDefinition(ctx, services, target.collection, async (definition) => {
    const row = await loadEntry(ctx.db, services, definition, target, { rows: readableRows(ctx) });
    return entryAnswer(definition, row, seesDrafts(ctx.principal));
  });
}
