import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { invalidInput, notFound } from '@quire/errors';
import { inLocale, type Locales } from '../../../locales/index.js';
import type { TaxonomyTarget } from '../taxonomies.operations.js';
import {
  assertCollectionsExist,
  hasNestedTerms,
  lockTaxonomy,
  selectDefinitionsOfTaxonomy,
  updateDefinitionRow,
  updateTaxonomyRow,
  type TaxonomyDef,
  type TaxonomyRow,
} from '../taxonomies.repository.js';
import type { TaxonomyUpdate } from '../taxonomies.schemas.js';

/**
 * Updates the given properties of the definition in one locale, without a locale in that of the lowest code;
 * `hierarchical` and `collections` apply to all locales (spec document 1, Taxonomy definition, Content rule 4).
 * @throws QuireError NOT_FOUND (also a locale without a definition), VALIDATION_ERROR (a malformed locale; an unknown
 *   collection; flattening a taxonomy whose terms have parents).
 */
export async function updateTaxonomy(
  ctx: Context,
  locales: Locales,
  { name, locale, update }: TaxonomyTarget & { update: TaxonomyUpdate },
): Promise<TaxonomyDef> {
  const requested = locale === undefined ? undefined : locales.requested(locale);
  return ctx.db.transaction(async (tx) => {
    const taxonomy = await lockTaxonomy(tx, name, 'FOR UPDATE');
    const definition = await definitionIn(tx, taxonomy, requested);
    await assertCollectionsExist(tx, update.collections);
    if (update.hierarchical === false && (await hasNestedTerms(tx, taxonomy.id))) {
      throw invalidInput([{ path: 'hierarchical', message: 'cannot become false while terms have parents' }]);
    }
    const { label, labelSingular, hierarchical, collections } = update;
    await updateDefinitionRow(tx, definition.id, { label, labelSingular });
    await updateTaxonomyRow(tx, taxonomy.id, { hierarchical, collections });
    return definitionIn(tx, taxonomy, definition.locale);
  });
}

async function definitionIn(
  tx: Transaction,
  { id }: TaxonomyRow,
  locale: string | undefined,
): Promise<TaxonomyDef> {
  const definitions = await selectDefinitionsOfTaxonomy(tx, id);
  const definition = locale === undefined ? definitions[0] : inLocale(definitions, locale);
  if (!definition) throw notFound('taxonomy definition in this locale');
  return definition;
}
