import type { Context } from '@quire/context';
import type { Locales } from '../../locales/index.js';
import { loadTaxonomy } from '../../taxonomies/index.js';
import { entryCounts } from '../term-counts.js';
import { childrenOf, loadTerm, type TermAnswer } from '../terms.repository.js';

/** Which term an operation is about. */
export interface TermTarget {
  /** Of the taxonomy. */
  name: string;
  slug: string;
  locale?: string | undefined;
}

export type TermWithChildren = TermAnswer & {
  count: number;
  children: { id: string; slug: string; label: string }[];
};

/**
 * A term with the number of its entries and its children in the same locale; without a locale that of the site's default
 * locale, else of the lowest code (contract 17).
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR (a malformed locale).
 */
export async function getTerm(ctx: Context, locales: Locales, target: TermTarget): Promise<TermWithChildren> {
  const address = termAddress(locales, target);
  const taxonomy = await loadTaxonomy(ctx.db, target.name);
  const term = await loadTerm(ctx.db, taxonomy, address);
  const children = await childrenOf(ctx.db, term);
  const counts = await entryCounts(ctx.db, taxonomy.id, term.translationGroup);
  return {
    ...term,
    count: counts.get(term.translationGroup) ?? 0,
    children: children.map(({ id, slug, label }) => ({ id, slug, label })),
  };
}

/** @throws QuireError VALIDATION_ERROR for a malformed locale. */
export function termAddress(locales: Locales, { slug, locale }: TermTarget) {
  return {
    slug,
    locale: locale === undefined ? undefined : locales.asked(locale),
    defaultLocale: locales.default,
  };
}
