import { isSameLocale } from '../../locales/index.js';
import type { TermResponse } from './terms.repository.js';

/** A term in a list (contract 6, TermWithCount). */
export interface ListedTerm extends TermResponse {
  count?: number;
  children: ListedTerm[];
}

/**
 * Puts terms below their parents, keeping their order. A term of several locales' list stands below its parent in its
 * own locale, else in the first that is listed; one whose parent is not listed stands at the top.
 */
export function termTree(terms: readonly ListedTerm[]): ListedTerm[] {
  const byGroup = new Map<string, ListedTerm[]>();
  for (const term of terms) {
    const variants = byGroup.get(term.translationGroup);
    if (variants) variants.push(term);
    else byGroup.set(term.translationGroup, [term]);
  }
  const top: ListedTerm[] = [];
  for (const term of terms) {
    const parents = term.parentId === null ? [] : (byGroup.get(term.parentId) ?? []);
    const parent = parents.find(({ locale }) => locale === term.locale) ?? parents[0];
    (parent?.children ?? top).push(term);
  }
  return top;
}

/** One term a group: that of the locale, else that of the other one. */
export function resolvedTerms(terms: readonly TermResponse[], locale: string): TermResponse[] {
  const hasOwn = new Set(
    terms.filter((term) => isSameLocale(term.locale, locale)).map(({ translationGroup }) => translationGroup),
  );
  return terms.filter((term) => isSameLocale(term.locale, locale) || !hasOwn.has(term.translationGroup));
}
