import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { invalidInput, notFound } from '@quire/errors';
import { inLocale, type Locales } from '../../../locales/index.js';
import {
  selectDefinitionsOfTaxonomy,
  lockTaxonomy,
  assertCollectionsExist,
  type TaxonomyDef,
  type TaxonomyRow,
} from '../taxonomies.repository.js';
import type { TaxonomyUpdate } from '../taxonomies.schemas.js';
import { TaxonomyDefinition } from '../taxonomy-definition.entity.js';
import { Taxonomy } from '../taxonomy.entity.js';
import type { TaxonomyTarget } from './get-taxonomy.js';

/**
 * Changes what is sent of the definition in one locale, without a locale in that of the lowest code; `hierarchical` and
 * `collections` change all locales (spec document 1, Taxonomy definition, Content rule 4).
 * @throws QuireError NOT_FOUND (also a locale without a definition), VALIDATION_ERROR (a malformed locale; an unknown
 * collection; flattening a taxonomy whose terms have parents).
 */
export async function updateTaxonomy(
  ctx: Context,
  locales: Locales,
  { name, locale }: TaxonomyTarget,
  update: TaxonomyUpdate,
): Promise<TaxonomyDef> {
  const requested = locale === undefined ? undefined : locales.requested(locale);
  return ctx.db.transaction(async (tx) => {
    const taxonomy = await lockTaxonomy(tx, name, 'FOR UPDATE');
    const definition = await definitionIn(tx, taxonomy, requested);
    await assertCollectionsExist(tx, update.collections);
    if (update.hierarchical === false) await assertNoNestedTerms(tx, taxonomy);
    const { label, labelSingular, hierarchical, collections } = update;
    if (label !== undefined || labelSingular !== undefined) {
      await tx
        .repository(TaxonomyDefinition)
        .update({ id: definition.id }, { ...sent({ label, labelSingular }), updatedAt: () => 'now()' });
    }
    if (hierarchical !== undefined || collections !== undefined) {
      await tx.repository(Taxonomy).update({ id: taxonomy.id }, sent({ hierarchical, collections }));
    }
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

async function assertNoNestedTerms(tx: Transaction, { id }: TaxonomyRow): Promise<void> {
  const nested = await tx.query(
    'SELECT 1 FROM term_groups WHERE taxonomy_id = $1 AND parent_id IS NOT NULL LIMIT 1',
    [id],
  );
  if (nested.length === 0) return;
  throw invalidInput([{ path: 'hierarchical', message: 'cannot become false while terms have parents' }]);
}

function sent<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<Values>;
}
