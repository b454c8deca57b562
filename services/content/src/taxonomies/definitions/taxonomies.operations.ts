import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { inLocale, type Locales } from '../../locales/index.js';
import {
  deleteTaxonomyRow,
  lockTaxonomy,
  selectDefinitions,
  selectDefinitionsOfTaxonomy,
  selectTaxonomy,
  type TaxonomyDef,
} from './taxonomies.repository.js';

/** Names a taxonomy, and its definition in one locale. */
export interface TaxonomyTarget {
  name: string;
  locale?: string | undefined;
}

export interface TaxonomyTranslations {
  translationGroup: string;
  translations: { id: string; name: string; label: string; locale: string }[];
}

/**
 * @returns the definitions of all taxonomies, in one locale or in all (contract 17).
 * @throws QuireError VALIDATION_ERROR for a malformed locale.
 */
export async function listTaxonomies(
  ctx: Context,
  locales: Locales,
  locale: string | undefined,
): Promise<TaxonomyDef[]> {
  return selectDefinitions(ctx.db, locale === undefined ? null : locales.requested(locale));
}

/**
 * @returns a taxonomy in the requested locale, else in the site's default locale, else in the lowest locale code (spec
 *   document 1, Content rule 4). With `isExact` a requested locale has no substitute.
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR (a malformed locale).
 */
export async function getTaxonomy(
  ctx: Context,
  locales: Locales,
  { name, locale }: TaxonomyTarget,
  { isExact = false } = {},
): Promise<TaxonomyDef> {
  const requested = locale === undefined ? locales.default : locales.requested(locale);
  const { id } = await selectTaxonomy(ctx.db, name);
  const definitions = await selectDefinitionsOfTaxonomy(ctx.db, id, [locales.default]);
  const substitute = isExact && locale !== undefined ? undefined : definitions[0];
  const definition = inLocale(definitions, requested) ?? substitute;
  if (!definition) throw notFound('taxonomy');
  return definition;
}

/**
 * Deletes a taxonomy in all locales with its terms and their assignments. Entries do not change (spec document 1,
 * Content rule 6).
 * @throws QuireError NOT_FOUND
 */
export async function deleteTaxonomy(ctx: Context, name: string): Promise<{ deleted: true }> {
  return ctx.db.transaction(async (tx) => {
    const { id } = await lockTaxonomy(tx, name, 'FOR UPDATE');
    await deleteTaxonomyRow(tx, id);
    return { deleted: true };
  });
}

/** @returns all locales of a taxonomy's definition, by locale code. @throws QuireError NOT_FOUND */
export async function listTaxonomyTranslations(ctx: Context, name: string): Promise<TaxonomyTranslations> {
  const taxonomy = await selectTaxonomy(ctx.db, name);
  const definitions = await selectDefinitionsOfTaxonomy(ctx.db, taxonomy.id);
  return {
    translationGroup: taxonomy.id,
    translations: definitions.map(({ id, label, locale }) => ({ id, name, label, locale })),
  };
}
