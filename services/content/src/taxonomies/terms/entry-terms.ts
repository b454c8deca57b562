import type { Locales } from '../../locales/index.js';
import type { AssignedTerm } from '../assignments/index.js';

/** The terms of one taxonomy on an entry, as answers show them (contract 7). */
export interface EntryTerms {
  terms: (AssignedTerm & { name: string })[];
  /** Assigned terms that exist neither in the entry's locale nor in the default. */
  unresolved: {
    translationGroup: string;
    availableLocales: string[];
    translations: { id: string; slug: string; locale: string }[];
  }[];
  entryLocale: string;
  defaultLocale: string;
  implicitDefaultLocale: boolean;
}

/**
 * Picks of every assigned group the term that an entry of this locale shows. `assigned` stands in the order of groups.
 */
export function entryTerms(
  name: string,
  assigned: readonly AssignedTerm[],
  entryLocale: string,
  locales: Locales,
): EntryTerms {
  const groups = new Map<string, AssignedTerm[]>();
  for (const term of assigned) {
    groups.set(term.translationGroup, [...(groups.get(term.translationGroup) ?? []), term]);
  }
  const response: EntryTerms = {
    terms: [],
    unresolved: [],
    entryLocale,
    defaultLocale: locales.default,
    implicitDefaultLocale: locales.isImplicit,
  };
  for (const [translationGroup, variants] of groups) {
    const term = [entryLocale, locales.default]
      .map((wanted) => variants.find(({ locale }) => locale === wanted))
      .find((variant) => variant !== undefined);
    if (term) response.terms.push({ ...term, name });
    else {
      response.unresolved.push({
        translationGroup,
        availableLocales: variants.map(({ locale }) => locale),
        translations: variants.map(({ id, slug, locale }) => ({ id, slug, locale })),
      });
    }
  }
  return response;
}
