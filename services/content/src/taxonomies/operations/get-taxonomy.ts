import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { inLocale, type Locales } from '../../locales/index.js';
import { definitionsOf, loadTaxonomy, type TaxonomyDef } from '../taxonomies.repository.js';

/** Which definition an operation is about. */
export interface TaxonomyTarget {
  name: string;
  locale?: string | undefined;
}

/**
 * A taxonomy in the locale that is asked for, else in the site's default locale, else in the lowest locale code (spec
 * document 1, Content rule 4).
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR (a malformed locale).
 */
export async function getTaxonomy(
  ctx: Context,
  locales: Locales,
  { name, locale }: TaxonomyTarget,
): Promise<TaxonomyDef> {
  const asked = locale === undefined ? locales.default : locales.asked(locale);
  const { id } = await loadTaxonomy(ctx.db, name);
  const definitions = await definitionsOf(ctx.db, id, [locales.default]);
  const definition = inLocale(definitions, asked) ?? definitions[0];
  if (!definition) throw notFound('taxonomy');
  return definition;
}
