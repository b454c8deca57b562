import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { invalidInput, notFound } from '@quire/errors';
import { assertOnRow } from '@quire/permissions';
import {
  loadEntry,
  lockEntryGroup,
  readableRows,
  withDefinition,
  type EntryDeps,
  type EntryTarget,
} from '../../entries/index.js';
import type { Locales } from '../../locales/index.js';
import {
  assignmentStatements,
  lockTermGroups,
  selectAssignedTerms,
  type AssignedTerm,
} from '../assignments/index.js';
import { lockTaxonomy, selectTaxonomy, type TaxonomyRow } from '../definitions/index.js';
import { resolveGroups } from './terms.repository.js';

/** The terms of one taxonomy on an entry, in responses (contract 7). */
export interface EntryTerms {
  terms: (AssignedTerm & { name: string })[];
  /** Assigned terms that exist neither in the entry's locale nor in the default. */
  unresolved: {
    translationGroup: string;
    availableLocales: string[];
    translations: { id: string; slug: string; locale: string }[];
  }[];
  entryLocale: string;
  defaultLocale: string;
  implicitDefaultLocale: boolean;
}

/**
 * @returns the terms of a taxonomy that an entry has, in its locale or else in the site's default (contract 7).
 * @throws QuireError NOT_FOUND (the taxonomy; the entry, also when the caller may not see it), COLLECTION_NOT_FOUND.
 */
export async function getContentTerms(
  ctx: Context,
  deps: EntryDeps,
  { taxonomy: name, ...target }: EntryTarget & { taxonomy: string },
): Promise<EntryTerms> {
  return withDefinition(ctx, deps, target.collection, async (definition) => {
    const entry = await loadEntry(ctx.db, deps.locales.of(ctx), definition, target, {
      rows: readableRows(ctx),
    });
    const taxonomy = await selectTaxonomy(ctx.db, name);
    const assigned = await selectAssignedTerms(ctx.db, entry._group, taxonomy.id);
    return toEntryTerms(name, assigned, entry._locale, deps.locales.of(ctx));
  });
}

/**
 * Replaces the terms of a taxonomy that an entry has, in all its translations. The change is live at once, and edit
 * locks do not prevent it (contract 7, 8).
 * @throws QuireError NOT_FOUND (entry, taxonomy, term), COLLECTION_NOT_FOUND, FORBIDDEN, VALIDATION_ERROR (a term of
 *   another taxonomy, or any of a taxonomy that is not for the collection).
 */
export async function setContentTerms(
  ctx: Context,
  deps: EntryDeps,
  { taxonomy: name, termIds, ...target }: EntryTarget & { taxonomy: string; termIds: readonly string[] },
): Promise<EntryTerms> {
  return withDefinition(ctx, deps, target.collection, (definition) =>
    ctx.db.transaction(async (tx) => {
      const { id, _group } = await loadEntry(tx, deps.locales.of(ctx), definition, target, {
        rows: 'not-trashed',
      });
      await lockEntryGroup(tx, definition, _group);
      const locked = { collection: definition.slug, id };
      const entry = await loadEntry(tx, deps.locales.of(ctx), definition, locked, { rows: 'not-trashed' });
      assertOnRow(ctx.principal, 'content:edit', entry.authorId);
      const taxonomy = await lockTaxonomy(tx, name, 'FOR KEY SHARE');
      const groups = await termGroups(tx, taxonomy, termIds);
      assertTaxonomyAllowed(taxonomy, definition.slug, groups);
      const assignee = { entryGroup: entry._group, collection: definition.slug };
      const named = [{ taxonomyId: taxonomy.id, termGroups: groups }];
      for (const statement of assignmentStatements(assignee, named)) await tx.query(statement);
      const assigned = await selectAssignedTerms(tx, entry._group, taxonomy.id);
      return toEntryTerms(name, assigned, entry._locale, deps.locales.of(ctx));
    }),
  );
}

/** Terms of a time when the taxonomy was for the collection can still be removed. */
function assertTaxonomyAllowed(
  { name, collections }: TaxonomyRow,
  collection: string,
  groups: readonly string[],
): void {
  if (groups.length === 0 || collections.includes(collection)) return;
  throw invalidInput([{ path: 'termIds', message: `'${name}' is not for '${collection}'` }]);
}

/** The groups of terms, each once, locked against deletion. */
async function termGroups(
  tx: Queryable,
  taxonomy: TaxonomyRow,
  termIds: readonly string[],
): Promise<string[]> {
  const known = await resolveGroups(tx, termIds);
  const existing = await lockTermGroups(tx, [...new Set([...known.values()].map(({ id }) => id))]);
  const groups = termIds.map((id, index) => {
    const group = known.get(id);
    if (!group || !existing.includes(group.id)) throw notFound(`term '${id}'`);
    if (group.taxonomyId === taxonomy.id) return group.id;
    throw invalidInput([{ path: `termIds.${index}`, message: `is a term of '${group.taxonomyName}'` }]);
  });
  return [...new Set(groups)];
}

/** Selects the term of each group for the entry's locale. @param assigned in the order of groups */
function toEntryTerms(
  name: string,
  assigned: readonly AssignedTerm[],
  entryLocale: string,
  locales: Locales,
): EntryTerms {
  const groups = new Map<string, AssignedTerm[]>();
  for (const term of assigned) {
    groups.set(term.translationGroup, [...(groups.get(term.translationGroup) ?? []), term]);
  }
  const response: EntryTerms = {
    terms: [],
    unresolved: [],
    entryLocale,
    defaultLocale: locales.default,
    implicitDefaultLocale: locales.isImplicit,
  };
  for (const [translationGroup, variants] of groups) {
    const term = [entryLocale, locales.default]
      .map((preferred) => variants.find(({ locale }) => locale === preferred))
      .find((variant) => variant !== undefined);
    if (term) response.terms.push({ ...term, name });
    else {
      response.unresolved.push({
        translationGroup,
        availableLocales: variants.map(({ locale }) => locale),
        translations: variants.map(({ id, slug, locale }) => ({ id, slug, locale })),
      });
    }
  }
  return response;
}
