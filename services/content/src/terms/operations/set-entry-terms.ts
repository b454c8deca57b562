import type { Context } from '@quire/context';
import type { Sql } from '@quire/database';
import { invalidInput, notFound } from '@quire/errors';
import { requireOnRow } from '@quire/permissions';
import {
  holdGroup,
  loadEntry,
  withDefinition,
  type EntryServices,
  type EntryTarget,
} from '../../entries/index.js';
import { holdTaxonomy, type TaxonomyRow } from '../../taxonomies/index.js';
import { assignedTerms, assignmentStatements } from '../../term-assignments/index.js';
import { entryTerms, type EntryTerms } from '../entry-terms.js';
import { resolveGroups } from '../terms.repository.js';

/**
 * Replaces the terms of a taxonomy that an entry has, in all its translations. They are live at once, and an edit lock does
 * not stand in the way (contract 7, 8).
 * @throws QuireError NOT_FOUND (entry, taxonomy, term), COLLECTION_NOT_FOUND, FORBIDDEN, VALIDATION_ERROR (a term of
 * another taxonomy, or any of a taxonomy that is not for the collection).
 */
export async function setEntryTerms(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
  { name, termIds }: { name: string; termIds: readonly string[] },
): Promise<EntryTerms> {
  return withDefinition(ctx, services, target.collection, (definition) =>
    ctx.db.transaction(async (tx) => {
      const found = await loadEntry(tx, services, definition, target, { rows: 'not-trashed' });
      await holdGroup(tx, definition, found._group);
      const held = { collection: definition.slug, id: found.id };
      const entry = await loadEntry(tx, services, definition, held, { rows: 'not-trashed' });
      requireOnRow(ctx.principal, 'content:edit', entry.authorId);
      const taxonomy = await holdTaxonomy(tx, name, 'FOR SHARE');
      const groups = await termGroups(tx, taxonomy, termIds);
      requireForCollection(taxonomy, definition.slug, groups);
      const assignee = { entryGroup: entry._group, collection: definition.slug };
      const named = [{ taxonomyId: taxonomy.id, termGroups: groups }];
      for (const statement of assignmentStatements(assignee, named)) await tx.query(statement);
      const assigned = await assignedTerms(tx, entry._group, taxonomy.id);
      return entryTerms(name, assigned, entry._locale, services.locales);
    }),
  );
}

/** What is left of a time when the taxonomy was for the collection can still be cleared. */
function requireForCollection(
  { name, collections }: TaxonomyRow,
  collection: string,
  groups: readonly string[],
): void {
  if (groups.length === 0 || collections.includes(collection)) return;
  throw invalidInput([{ path: 'termIds', message: `'${name}' is not for '${collection}'` }]);
}

/** The groups that ids mean; two ids of one group count once. */
async function termGroups(tx: Sql, taxonomy: TaxonomyRow, termIds: readonly string[]): Promise<string[]> {
  const known = await resolveGroups(tx, termIds);
  const groups = termIds.map((id, index) => {
    const group = known.get(id);
    if (!group) throw notFound(`term '${id}'`);
    if (group.taxonomyId === taxonomy.id) return group.id;
    throw invalidInput([{ path: `termIds.${index}`, message: `is a term of '${group.taxonomyName}'` }]);
  });
  return [...new Set(groups)];
}
