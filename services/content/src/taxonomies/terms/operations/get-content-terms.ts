import type { Context } from '@quire/context';
import {
  loadEntry,
  readableRows,
  withDefinition,
  type EntryDeps,
  type EntryTarget,
} from '../../../entries/index.js';
import { selectTaxonomy } from '../../definitions/index.js';
import { selectAssignedTerms } from '../../assignments/index.js';
import { entryTerms, type EntryTerms } from '../entry-terms.js';

/**
 * The terms of a taxonomy that an entry has, in its locale or else in the site's default (contract 7).
 * @throws QuireError NOT_FOUND (the taxonomy; the entry, also when the caller may not see it), COLLECTION_NOT_FOUND.
 */
export async function getContentTerms(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
  name: string,
): Promise<EntryTerms> {
  return withDefinition(ctx, deps, target.collection, async (definition) => {
    const entry = await loadEntry(ctx.db, deps, definition, target, { rows: readableRows(ctx) });
    const taxonomy = await selectTaxonomy(ctx.db, name);
    const assigned = await selectAssignedTerms(ctx.db, entry._group, taxonomy.id);
    return entryTerms(name, assigned, entry._locale, deps.locales);
  });
}
