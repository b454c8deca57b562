import { createHash } from 'node:crypto';
import { legalSlug } from '@quire/content-model';

/** The taxonomy of menus; its terms are menus (2.7). */
export const menuTaxonomy = 'nav_menu';

/** Taxonomies that hold the language of an item (2.8). */
const languageTaxonomies: readonly string[] = [
  'language',
  'term_language',
  'post_translations',
  'term_translations',
];
/** Taxonomies that the source keeps for its themes, editor and link list. */
const internalTaxonomies: readonly string[] = [
  'post_format',
  'wp_theme',
  'wp_template_part_area',
  'wp_pattern_category',
  'link_category',
];
const notContent: ReadonlySet<string> = new Set([...languageTaxonomies, ...internalTaxonomies]);

const ownNames: ReadonlyMap<string, string> = new Map([
  ['category', 'category'],
  ['post_tag', 'tag'],
  ['tag', 'tag'],
]);

/** Whether the terms of a source's taxonomy become terms; menus, languages and formats do not (2.5). */
export function isContentTaxonomy(taxonomy: string): boolean {
  return taxonomy !== '' && taxonomy !== menuTaxonomy && !notContent.has(taxonomy);
}

/**
 * The name of the taxonomy that a source's taxonomy becomes: `category`, `tag`, else its name as a legal one.
 * @returns lower-case letters, digits and underscores, beginning with a letter, at most 63; the same for equal input
 */
export function taxonomyName(sourceName: string): string {
  return ownNames.get(sourceName) ?? (legalSlug(sourceName, '') || `taxonomy_${hashOf(sourceName)}`);
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);
