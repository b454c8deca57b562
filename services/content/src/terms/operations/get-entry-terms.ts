import type { Context } from '@quire/context';
import {
  loadEntry,
  readableRows,
  withDefinition,
  type EntryServices,
  type EntryTarget,
} from '../../entries/index.js';
import { loadTaxonomy } from '../../taxonomies/index.js';
import { assignedTerms } from '../../term-assignments/index.js';
import { entryTerms, type EntryTerms } from '../entry-terms.js';

/**
 * The terms of a taxonomy that an entry has, in its locale or else in the site's default (contract 7).
 * @throws QuireError NOT_FOUND (the taxonomy; the entry, also when the caller may not see it), COLLECTION_NOT_FOUND.
 */
export async function getEntryTerms(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
  name: string,
): Promise<EntryTerms> {
  return withDefinition(ctx, services, target.collection, async (definition) => {
    const entry = await loadEntry(ctx.db, services, definition, target, { rows: readableRows(ctx) });
    const taxonomy = await loadTaxonomy(ctx.db, name);
    const assigned = await assignedTerms(ctx.db, entry._group, taxonomy.id);
    return entryTerms(name, assigned, entry._locale, services.locales);
  });
}
