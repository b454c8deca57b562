import { generateSlug, nextSlug } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { invalidInput, notFound } from '@quire/errors';
import { ulid } from '@quire/values';
import type { Locales } from '../../../locales/index.js';
import { lockTaxonomy, type TaxonomyRow } from '../../definitions/index.js';
import { assertValidParent, resolveParent } from '../term-hierarchy.js';
import {
  insertGroup,
  insertTerm,
  resolveGroups,
  selectNextSortOrder,
  selectTakenSlugs,
  selectTermById,
  toTermConflictError,
  type TermResponse,
} from '../terms.repository.js';
import type { TermInput } from '../terms.schemas.js';

/**
 * Creates a term after its siblings, or with `translationOf` a term in a further locale, which has the place of its
 * group (contract 17). A missing slug is generated from the label.
 * @throws QuireError NOT_FOUND (taxonomy, translationOf), CONFLICT (the slug, or the group, has the locale),
 *   VALIDATION_ERROR (parent, translationOf of another taxonomy, locale).
 */
export async function createTerm(
  ctx: Context,
  locales: Locales,
  { name, term: input }: { name: string; term: TermInput },
): Promise<TermResponse> {
  const locale = input.locale === undefined ? locales.default : locales.stored(input.locale);
  try {
    return await ctx.db.transaction(async (tx) => {
      const taxonomy = await lockTaxonomy(tx, name, 'FOR NO KEY UPDATE');
      const id = ulid();
      const groupId = await insertOrJoinGroup(tx, taxonomy, id, input);
      await insertTerm(tx, {
        id,
        groupId,
        taxonomyId: taxonomy.id,
        locale,
        slug: input.slug ?? (await freeSlug(tx, taxonomy, locale, input.label)),
        label: input.label,
        description: input.description || null,
      });
      return selectTermById(tx, id);
    });
  } catch (error) {
    throw toTermConflictError(error);
  }
}

async function insertOrJoinGroup(
  tx: Transaction,
  taxonomy: TaxonomyRow,
  id: string,
  { translationOf, parentId = null }: TermInput,
): Promise<string> {
  const parent = await resolveParent(tx, taxonomy, parentId);
  if (translationOf !== undefined) return joinGroup(tx, taxonomy, translationOf, parent);
  await assertValidParent(tx, null, parent);
  const sortOrder = await selectNextSortOrder(tx, taxonomy, parent);
  await insertGroup(tx, { id, taxonomyId: taxonomy.id, parentId: parent, sortOrder });
  return id;
}

/** Parent and order belong to the group: a translation has them too, and cannot name another parent. */
async function joinGroup(
  tx: Transaction,
  taxonomy: TaxonomyRow,
  translationOf: string,
  parent: string | null,
): Promise<string> {
  const group = (await resolveGroups(tx, [translationOf])).get(translationOf);
  if (!group) throw notFound('term that translationOf names');
  if (group.taxonomyId !== taxonomy.id) {
    throw invalidInput([{ path: 'translationOf', message: `is a term of '${group.taxonomyName}'` }]);
  }
  if (parent !== null && parent !== group.parentId) {
    throw invalidInput([
      { path: 'parentId', message: 'is not the parent that the term has in its other locales' },
    ]);
  }
  return group.id;
}

async function freeSlug(
  tx: Transaction,
  taxonomy: TaxonomyRow,
  locale: string,
  label: string,
): Promise<string> {
  const base = generateSlug(label);
  return nextSlug(base, await selectTakenSlugs(tx, taxonomy, locale, base));
}
