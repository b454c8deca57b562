import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { inLocale, type Locales } from '../../../locales/index.js';
import { selectDefinitionsOfTaxonomy, selectTaxonomy, type TaxonomyDef } from '../taxonomies.repository.js';

/** Which definition an operation is about. */
export interface TaxonomyTarget {
  name: string;
  locale?: string | undefined;
}

/**
 * A taxonomy in the requested locale, else in the site's default locale, else in the lowest locale code (spec
 * document 1, Content rule 4).
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR (a malformed locale).
 */
export async function getTaxonomy(
  ctx: Context,
  locales: Locales,
  { name, locale }: TaxonomyTarget,
): Promise<TaxonomyDef> {
  const requested = locale === undefined ? locales.default : locales.requested(locale);
  const { id } = await selectTaxonomy(ctx.db, name);
  const definitions = await selectDefinitionsOfTaxonomy(ctx.db, id, [locales.default]);
  const definition = inLocale(definitions, requested) ?? definitions[0];
  if (!definition) throw notFound('taxonomy');
  return definition;
}
