import type { Context } from '@quire/context';
import type { Locales } from '../../locales/index.js';
import { loadTaxonomy } from '../../taxonomies/index.js';
import { entryCounts } from '../term-counts.js';
import { resolvedTerms, termTree, type ListedTerm } from '../term-tree.js';
import { termsOf } from '../terms.repository.js';
import type { ListTermsQuery } from '../terms.schemas.js';

/**
 * The terms of a taxonomy in their order: a tree when it is hierarchical. Of one locale, of all, or with
 * `resolveFallback` one a group, in the locale or else in the site's default (contract 17).
 * @throws QuireError NOT_FOUND (the taxonomy), VALIDATION_ERROR (a malformed locale).
 */
export async function listTerms(
  ctx: Context,
  locales: Locales,
  name: string,
  { locale, includeCounts, resolveFallback }: ListTermsQuery,
): Promise<ListedTerm[]> {
  const asked = locale === undefined ? undefined : locales.asked(locale);
  const taxonomy = await loadTaxonomy(ctx.db, name);
  const isResolved = asked !== undefined && resolveFallback === 'true';
  const wanted = asked === undefined ? null : isResolved ? [asked, locales.default] : [asked];
  const found = await termsOf(ctx.db, taxonomy, wanted);
  const terms = isResolved ? resolvedTerms(found, asked) : found;
  const counts = includeCounts === 'true' ? await entryCounts(ctx.db, taxonomy.id) : undefined;
  const listed = terms.map((term): ListedTerm => ({
    ...term,
    ...(counts ? { count: counts.get(term.translationGroup) ?? 0 } : {}),
    children: [],
  }));
  return taxonomy.hierarchical ? termTree(listed) : listed;
}
