import type { Context } from '@quire/context';
import { selectDefinitionsOfTaxonomy, selectTaxonomy } from '../taxonomies.repository.js';

export interface TaxonomyTranslations {
  translationGroup: string;
  translations: { id: string; name: string; label: string; locale: string }[];
}

/** All locales of a taxonomy's definition, by locale code. @throws QuireError NOT_FOUND */
export async function listTaxonomyTranslations(ctx: Context, name: string): Promise<TaxonomyTranslations> {
  const taxonomy = await selectTaxonomy(ctx.db, name);
  const definitions = await selectDefinitionsOfTaxonomy(ctx.db, taxonomy.id);
  return {
    translationGroup: taxonomy.id,
    translations: definitions.map(({ id, label, locale }) => ({ id, name, label, locale })),
  };
}
