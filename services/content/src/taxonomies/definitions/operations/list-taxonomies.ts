import type { Context } from '@quire/context';
import type { Locales } from '../../../locales/index.js';
import { selectDefinitions, type TaxonomyDef } from '../taxonomies.repository.js';

/**
 * The definitions of all taxonomies: those of one locale, or every locale's (contract 17).
 * @throws QuireError VALIDATION_ERROR for a malformed locale.
 */
export async function listTaxonomies(
  ctx: Context,
  locales: Locales,
  locale: string | undefined,
): Promise<TaxonomyDef[]> {
  return selectDefinitions(ctx.db, locale === undefined ? null : locales.requested(locale));
}
