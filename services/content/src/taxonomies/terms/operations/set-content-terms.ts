import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { invalidInput, notFound } from '@quire/errors';
import { assertOnRow } from '@quire/permissions';
import {
  lockEntryGroup,
  loadEntry,
  withDefinition,
  type EntryDeps,
  type EntryTarget,
} from '../../../entries/index.js';
import { lockTaxonomy, type TaxonomyRow } from '../../definitions/index.js';
import { selectAssignedTerms, assignmentStatements } from '../../assignments/index.js';
import { entryTerms, type EntryTerms } from '../entry-terms.js';
import { resolveGroups } from '../terms.repository.js';

/**
 * Replaces the terms of a taxonomy that an entry has, in all its translations. They are live at once, and an edit lock
 * does not stand in the way (contract 7, 8).
 * @throws QuireError NOT_FOUND (entry, taxonomy, term), COLLECTION_NOT_FOUND, FORBIDDEN, VALIDATION_ERROR (a term of
 * another taxonomy, or any of a taxonomy that is not for the collection).
 */
export async function setContentTerms(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
  { name, termIds }: { name: string; termIds: readonly string[] },
): Promise<EntryTerms> {
  return withDefinition(ctx, deps, target.collection, (definition) =>
    ctx.db.transaction(async (tx) => {
      const found = await loadEntry(tx, deps, definition, target, { rows: 'not-trashed' });
      await lockEntryGroup(tx, definition, found._group);
      const locked = { collection: definition.slug, id: found.id };
      const entry = await loadEntry(tx, deps, definition, locked, { rows: 'not-trashed' });
      assertOnRow(ctx.principal, 'content:edit', entry.authorId);
      const taxonomy = await lockTaxonomy(tx, name, 'FOR SHARE');
      const groups = await termGroups(tx, taxonomy, termIds);
      assertTaxonomyAllowed(taxonomy, definition.slug, groups);
      const assignee = { entryGroup: entry._group, collection: definition.slug };
      const named = [{ taxonomyId: taxonomy.id, termGroups: groups }];
      for (const statement of assignmentStatements(assignee, named)) await tx.query(statement);
      const assigned = await selectAssignedTerms(tx, entry._group, taxonomy.id);
      return entryTerms(name, assigned, entry._locale, deps.locales);
    }),
  );
}

/** What is left of a time when the taxonomy was for the collection can still be cleared. */
function assertTaxonomyAllowed(
  { name, collections }: TaxonomyRow,
  collection: string,
  groups: readonly string[],
): void {
  if (groups.length === 0 || collections.includes(collection)) return;
  throw invalidInput([{ path: 'termIds', message: `'${name}' is not for '${collection}'` }]);
}

/** The groups that ids mean; two ids of one group count once. */
async function termGroups(
  tx: Queryable,
  taxonomy: TaxonomyRow,
  termIds: readonly string[],
): Promise<string[]> {
  const known = await resolveGroups(tx, termIds);
  const groups = termIds.map((id, index) => {
    const group = known.get(id);
    if (!group) throw notFound(`term '${id}'`);
    if (group.taxonomyId === taxonomy.id) return group.id;
    throw invalidInput([{ path: `termIds.${index}`, message: `is a term of '${group.taxonomyName}'` }]);
  });
  return [...new Set(groups)];
}
