import { importLabel } from '@quire/content-model';
import { createCollectionBody } from '../../schema/index.js';

/** Collections of the default site, whose entries have these addresses and are found by search (contract 1.3). */
const urlPatterns: Readonly<Record<string, string>> = { posts: '/blog/{slug}', pages: '/{slug}' };

/** Whether search is switched on for a new collection of this slug. */
export const isSearchedByDefault = (slug: string): boolean => Object.hasOwn(urlPatterns, slug);

/** @returns the settings of a collection that an import creates (contract 1.3). */
export function newCollection(slug: string) {
  const label = importLabel(slug);
  return createCollectionBody.parse({
    slug,
    label,
    labelSingular: singularOf(label),
    supports: ['drafts', 'revisions', ...(isSearchedByDefault(slug) ? ['search'] : [])],
    urlPattern: urlPatterns[slug] ?? null,
    source: 'import:legacy',
  });
}

/** @returns the singular of an English plural by its ending; other labels as they are. */
export function singularOf(label: string): string {
  if (/[^aeiou]ies$/i.test(label)) return label.replace(/ies$/i, 'y');
  return label.replace(/([^s])s$/i, '$1');
}
