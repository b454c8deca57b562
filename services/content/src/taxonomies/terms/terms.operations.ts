import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { invalidInput, notFound, QuireError } from '@quire/errors';
import { isSameLocale, type Locales } from '../../locales/index.js';
import { lockTaxonomy, selectTaxonomy, type TaxonomyRow } from '../definitions/index.js';
import { countEntriesByTerm } from './term-counts.repository.js';
import { assertValidParent, resolveParent } from './term-hierarchy.js';
import { termTree, type ListedTerm } from './term-tree.js';
import {
  deleteTermRow,
  hasChildren,
  resolveGroups,
  selectChildTerms,
  selectNextSortOrder,
  selectSiblings,
  selectTerm,
  selectTermById,
  selectTerms,
  selectTermTranslations,
  toTermConflictError,
  updateGroupPlace,
  updateSortOrders,
  updateTermRow,
  type TermAddress,
  type TermResponse,
  type TermTranslation,
} from './terms.repository.js';
import type { ListTermsQuery, TermOrder, TermUpdate } from './terms.schemas.js';

/** Names a term of a taxonomy in one locale. */
export interface TermTarget {
  /** The name of the taxonomy. */
  name: string;
  slug: string;
  locale?: string | undefined;
}

export interface TermTranslations {
  translationGroup: string;
  translations: TermTranslation[];
}

export type TermWithChildren = TermResponse & {
  count: number;
  children: { id: string; slug: string; label: string }[];
};

/**
 * @returns the terms of a taxonomy in order, as a tree when it is hierarchical: of one locale, of all, or with
 *   `resolveFallback` one per group, in the locale or else in the site's default (contract 17).
 * @throws QuireError NOT_FOUND (the taxonomy), VALIDATION_ERROR (a malformed locale).
 */
export async function listTerms(
  ctx: Context,
  locales: Locales,
  { name, locale, includeCounts, resolveFallback }: ListTermsQuery & { name: string },
): Promise<ListedTerm[]> {
  const requested = locale === undefined ? undefined : locales.requested(locale);
  const taxonomy = await selectTaxonomy(ctx.db, name);
  const isResolved = requested !== undefined && resolveFallback === 'true';
  const codes = requested === undefined ? null : isResolved ? [requested, locales.default] : [requested];
  const rows = await selectTerms(ctx.db, taxonomy, codes);
  const terms = isResolved ? resolvedTerms(rows, requested) : rows;
  const groups = [...new Set(terms.map(({ translationGroup }) => translationGroup))];
  const counts = includeCounts === 'true' ? await countEntriesByTerm(ctx.db, groups) : undefined;
  const listed = terms.map((term): ListedTerm => ({
    ...term,
    ...(counts ? { count: counts.get(term.translationGroup) ?? 0 } : {}),
    children: [],
  }));
  return taxonomy.hierarchical ? termTree(listed) : listed;
}

/** One term per group: of the locale, else of the other one. */
function resolvedTerms(terms: readonly TermResponse[], locale: string): TermResponse[] {
  const hasOwn = new Set(
    terms.filter((term) => isSameLocale(term.locale, locale)).map(({ translationGroup }) => translationGroup),
  );
  return terms.filter((term) => isSameLocale(term.locale, locale) || !hasOwn.has(term.translationGroup));
}

/**
 * @returns a term with the number of its entries and its children in the same locale; without a locale that of the
 *   site's default locale, else of the lowest code (contract 17).
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR (a malformed locale).
 */
export async function getTerm(ctx: Context, locales: Locales, target: TermTarget): Promise<TermWithChildren> {
  const address = termAddress(locales, target);
  const taxonomy = await selectTaxonomy(ctx.db, target.name);
  const term = await selectTerm(ctx.db, taxonomy, address);
  const children = await selectChildTerms(ctx.db, term);
  const counts = await countEntriesByTerm(ctx.db, [term.translationGroup]);
  return {
    ...term,
    count: counts.get(term.translationGroup) ?? 0,
    children: children.map(({ id, slug, label }) => ({ id, slug, label })),
  };
}

/**
 * @param id of a term, or of a translation group
 * @returns the term in each of its locales, by locale code (spec document 2, rule 5).
 * @throws QuireError NOT_FOUND
 */
export async function listTermTranslations(ctx: Context, id: string): Promise<TermTranslations> {
  const group = (await resolveGroups(ctx.db, [id])).get(id);
  const translations = group ? await selectTermTranslations(ctx.db, group.id) : [];
  if (!group || translations.length === 0) throw notFound('term');
  return { translationGroup: group.id, translations };
}

/**
 * Updates the given properties of a term. Slug, label and description belong to one locale, the parent to all; below a
 * new parent the term is last (contract 17).
 * @throws QuireError NOT_FOUND, CONFLICT (the slug), VALIDATION_ERROR (parent, locale).
 */
export async function updateTerm(
  ctx: Context,
  locales: Locales,
  { update, ...target }: TermTarget & { update: TermUpdate },
): Promise<TermResponse> {
  const address = termAddress(locales, target);
  try {
    return await ctx.db.transaction(async (tx) => {
      const taxonomy = await lockTaxonomy(tx, target.name, 'FOR NO KEY UPDATE');
      const term = await selectTerm(tx, taxonomy, address);
      if (update.parentId !== undefined) await moveTerm(tx, taxonomy, term, update.parentId);
      await updateTermRow(tx, term.id, update);
      return selectTermById(tx, term.id);
    });
  } catch (error) {
    throw toTermConflictError(error);
  }
}

async function moveTerm(
  tx: Transaction,
  taxonomy: TaxonomyRow,
  { translationGroup, parentId }: TermResponse,
  newParentId: string | null,
): Promise<void> {
  const parent = await resolveParent(tx, taxonomy, newParentId);
  if (parent === parentId) return;
  await assertValidParent(tx, translationGroup, parent);
  const sortOrder = await selectNextSortOrder(tx, taxonomy, parent);
  await updateGroupPlace(tx, { id: translationGroup, parentId: parent, sortOrder });
}

/**
 * Deletes a term in one locale; with its last locale also its group and its assignments (contract 17).
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR (it has children, in any locale; nothing is deleted).
 */
export async function deleteTerm(
  ctx: Context,
  locales: Locales,
  target: TermTarget,
): Promise<{ deleted: true }> {
  const address = termAddress(locales, target);
  return ctx.db.transaction(async (tx) => {
    const taxonomy = await lockTaxonomy(tx, target.name, 'FOR NO KEY UPDATE');
    const { id, translationGroup } = await selectTerm(tx, taxonomy, address);
    if (await hasChildren(tx, translationGroup)) {
      throw invalidInput([{ path: '', message: 'The term has children: move or delete them first' }]);
    }
    await deleteTermRow(tx, { id, translationGroup });
    return { deleted: true };
  });
}

/**
 * Exchanges the positions of the listed siblings; the others stay: [A, B, C] with [C, A] becomes [C, B, A]. The order
 * applies to all locales (spec document 1, Content rule 7). Without `parentId` the siblings are those of the first
 * listed term; null means the terms without a parent.
 * @throws QuireError NOT_FOUND (taxonomy, parent), REORDER_MISMATCH (an id outside the siblings, or listed twice).
 */
export async function reorderTerms(
  ctx: Context,
  { name, parentId, ids }: TermOrder & { name: string },
): Promise<{ reordered: true }> {
  return ctx.db.transaction(async (tx) => {
    const taxonomy = await lockTaxonomy(tx, name, 'FOR NO KEY UPDATE');
    const known = await resolveGroups(tx, parentId ? [...ids, parentId] : ids);
    const groups = ids.map((id) => known.get(id));
    const parent = parentId ? known.get(parentId) : undefined;
    if (parentId && parent?.taxonomyId !== taxonomy.id) throw notFound('term that parentId names');
    const parentGroup = parentId === undefined ? (groups[0]?.parentId ?? null) : (parent?.id ?? null);
    const siblings = await selectSiblings(tx, taxonomy, parentGroup);
    const ordered = groups.map((group) => siblings.find(({ id }) => id === group?.id));
    const listed = new Set(ordered);
    if (listed.has(undefined) || listed.size < ids.length) throw reorderMismatchError();
    const positions = siblings.filter((sibling) => listed.has(sibling)).map(({ sortOrder }) => sortOrder);
    await updateSortOrders(
      tx,
      ordered.flatMap((sibling) => sibling?.id ?? []),
      positions,
    );
    return { reordered: true };
  });
}

function reorderMismatchError(): QuireError {
  return new QuireError('REORDER_MISMATCH', 'ids: must list terms of one parent, each exactly once');
}

/** @throws QuireError VALIDATION_ERROR for a malformed locale. */
function termAddress(locales: Locales, { slug, locale }: TermTarget): TermAddress {
  return {
    slug,
    locale: locale === undefined ? undefined : locales.requested(locale),
    defaultLocale: locales.default,
  };
}
