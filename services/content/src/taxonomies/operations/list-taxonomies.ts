import type { Context } from '@quire/context';
import type { Locales } from '../../locales/index.js';
import { listDefinitions, type TaxonomyDef } from '../taxonomies.repository.js';

/**
 * The definitions of all taxonomies: those of one locale, or every locale's (contract 17).
 * @throws QuireError VALIDATION_ERROR for a malformed locale.
 */
export async function listTaxonomies(
  ctx: Context,
  locales: Locales,
  locale: string | undefined,
): Promise<TaxonomyDef[]> {
  return listDefinitions(ctx.db, locale === undefined ? null : locales.asked(locale));
}
