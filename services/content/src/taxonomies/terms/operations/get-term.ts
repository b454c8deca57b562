import type { Context } from '@quire/context';
import type { Locales } from '../../../locales/index.js';
import { selectTaxonomy } from '../../definitions/index.js';
import { countEntriesByTerm } from '../term-counts.js';
import { selectChildTerms, selectTerm, type TermResponse } from '../terms.repository.js';

/** Which term an operation is about. */
export interface TermTarget {
  /** Of the taxonomy. */
  name: string;
  slug: string;
  locale?: string | undefined;
}

export type TermWithChildren = TermResponse & {
  count: number;
  children: { id: string; slug: string; label: string }[];
};

/**
 * A term with the number of its entries and its children in the same locale; without a locale that of the site's
 * default locale, else of the lowest code (contract 17).
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR (a malformed locale).
 */
export async function getTerm(ctx: Context, locales: Locales, target: TermTarget): Promise<TermWithChildren> {
  const address = termAddress(locales, target);
  const taxonomy = await selectTaxonomy(ctx.db, target.name);
  const term = await selectTerm(ctx.db, taxonomy, address);
  const children = await selectChildTerms(ctx.db, term);
  const counts = await countEntriesByTerm(ctx.db, taxonomy.id, term.translationGroup);
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
    locale: locale === undefined ? undefined : locales.requested(locale),
    defaultLocale: locales.default,
  };
}
