import { checkCollectionSlug, maxSlugLength } from '../definitions/slugs.js';

/**
 * Makes a name of the source a legal slug: lower case, other characters to `_`, nothing before the first letter, 63
 * characters at most (import contract 1.2 and 2.6).
 * @param fallback for a name without a letter
 */
export function legalSlug(name: string, fallback: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, maxSlugLength);
  return slug === '' ? fallback : slug;
}

/** @returns a name of the source in words with a capital letter, for a label: `shop-brand` as "Shop brand" */
export function importLabel(name: string): string {
  const words = name.replace(/[-_\s]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @returns the slug of the collection for a name of the source; reserved ones get the prefix `legacy_`. */
export function importCollectionSlug(name: string): string {
  const slug = legalSlug(name, 'imported');
  return checkCollectionSlug(slug)?.code === 'RESERVED_SLUG'
    ? `legacy_${slug}`.slice(0, maxSlugLength)
    : slug;
}
