import type { Context } from '@quire/context';
import type { Locales } from '../../../locales/index.js';
import { selectTaxonomy } from '../../definitions/index.js';
import { countEntriesByTerm } from '../term-counts.js';
import { resolvedTerms, termTree, type ListedTerm } from '../term-tree.js';
import { selectTerms } from '../terms.repository.js';
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
  const requested = locale === undefined ? undefined : locales.requested(locale);
  const taxonomy = await selectTaxonomy(ctx.db, name);
  const isResolved = requested !== undefined && resolveFallback === 'true';
  const wanted = requested === undefined ? null : isResolved ? [requested, locales.default] : [requested];
  const found = await selectTerms(ctx.db, taxonomy, wanted);
  const terms = isResolved ? resolvedTerms(found, requested) : found;
  const counts = includeCounts === 'true' ? await countEntriesByTerm(ctx.db, taxonomy.id) : undefined;
  const listed = terms.map((term): ListedTerm => ({
    ...term,
    ...(counts ? { count: counts.get(term.translationGroup) ?? 0 } : {}),
    children: [],
  }));
  return taxonomy.hierarchical ? termTree(listed) : listed;
}
