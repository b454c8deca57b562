import type { Context } from '@quire/context';
import type { contentImportApi } from '@quire/internal-api';
import type { Locales } from '../../locales/index.js';
import { listSchema } from '../../schema/index.js';
import { selectTaxonomies } from '../../taxonomies/definitions/index.js';

/** @returns what content can be imported into, each list by its name or slug (import contract 1.2). */
export async function getImportTargets(
  ctx: Context,
  locales: Locales,
): Promise<contentImportApi.ImportTargets> {
  const schema = await listSchema(ctx);
  const taxonomies = await selectTaxonomies(ctx.db);
  return {
    collections: schema.map(({ collection: { slug, supports }, fields }) => ({
      slug,
      fields: fields.map((field) => ({ slug: field.slug, type: field.type })),
      supports: [...supports],
    })),
    taxonomies: taxonomies.map(({ name, hierarchical, collections }) => ({
      name,
      hierarchical,
      collections,
    })),
    defaultLocale: locales.default,
    locales: locales.configured ? [...locales.configured] : null,
  };
}
