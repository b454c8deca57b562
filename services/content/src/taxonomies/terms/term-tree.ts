import type { TermResponse } from './terms.repository.js';

/** A term in a list (contract 6, TermWithCount). */
export interface ListedTerm extends TermResponse {
  count?: number;
  children: ListedTerm[];
}

/**
 * Nests terms below their parents, in order. A list of several locales nests a term below its parent in the same
 * locale, else in the first listed one; a term whose parent is not listed is at the top.
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
