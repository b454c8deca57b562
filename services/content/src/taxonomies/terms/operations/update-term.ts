import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import type { Locales } from '../../../locales/index.js';
import { lockTaxonomy, type TaxonomyRow } from '../../definitions/index.js';
import { TermGroup } from '../term-group.entity.js';
import { nextSortOrder, assertValidParent, resolveParent } from '../term-hierarchy.js';
import { Term } from '../term.entity.js';
import { selectTerm, selectTermById, toTermConflictError, type TermResponse } from '../terms.repository.js';
import type { TermUpdate } from '../terms.schemas.js';
import { termAddress, type TermTarget } from './get-term.js';

/**
 * Changes what is sent of a term. Slug, label and description are its own; the parent is that of all its locales, and
 * under a new parent it stands last (contract 17).
 * @throws QuireError NOT_FOUND, CONFLICT (the slug), VALIDATION_ERROR (parent, locale).
 */
export async function updateTerm(
  ctx: Context,
  locales: Locales,
  target: TermTarget,
  update: TermUpdate,
): Promise<TermResponse> {
  const address = termAddress(locales, target);
  try {
    return await ctx.db.transaction(async (tx) => {
      const taxonomy = await lockTaxonomy(tx, target.name, 'FOR UPDATE');
      const term = await selectTerm(tx, taxonomy, address);
      if (update.parentId !== undefined) await moveTerm(tx, taxonomy, term, update.parentId);
      const own = ownChanges(update);
      if (Object.keys(own).length > 0) {
        await tx.repository(Term).update({ id: term.id }, { ...own, updatedAt: () => 'now()' });
      }
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
  wanted: string | null,
): Promise<void> {
  const parent = await resolveParent(tx, taxonomy, wanted);
  if (parent === parentId) return;
  await assertValidParent(tx, translationGroup, parent);
  const sortOrder = await nextSortOrder(tx, taxonomy, parent);
  await tx.repository(TermGroup).update({ id: translationGroup }, { parentId: parent, sortOrder });
}

function ownChanges({ slug, label, description }: TermUpdate) {
  return {
    ...(slug === undefined ? {} : { slug }),
    ...(label === undefined ? {} : { label }),
    ...(description === undefined ? {} : { description: description || null }),
  };
}
