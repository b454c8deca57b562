import type { ElementFields } from './element-fields.js';
import type { Namespaces } from './namespaces.js';

/** The site that a file was exported from. Texts are trimmed, and empty if the file lacks them. */
export interface ExportChannel {
  /** `wp:wxr_version`, such as `1.2`. */
  version: string;
  title: string;
  link: string;
  description: string;
  language: string;
  baseSiteUrl: string;
  baseBlogUrl: string;
  /** What `parseItem` resolves prefixes by. */
  namespaces: Namespaces;
}

/** A declared author (2.5). The login is the key that items name as their creator. */
export interface ExportAuthor {
  id: number | null;
  login: string;
  email: string;
  displayName: string;
  firstName: string;
  lastName: string;
}

/** A term as declared by `wp:category`, `wp:tag` or `wp:term`; slug and parent as written, possibly percent-encoded. */
export interface ExportTerm {
  id: number | null;
  /** `category`, `post_tag`, or the name in `wp:term_taxonomy`. */
  taxonomy: string;
  slug: string;
  /** The slug of the parent; empty for none. */
  parent: string;
  name: string;
  description: string;
}

/** The fields of `ExportChannel` by the elements that they are read from. */
export const channelTexts: ReadonlyMap<string, Exclude<keyof ExportChannel, 'namespaces'>> = new Map([
  ['wp:wxr_version', 'version'],
  ['title', 'title'],
  ['link', 'link'],
  ['description', 'description'],
  ['language', 'language'],
  ['wp:base_site_url', 'baseSiteUrl'],
  ['wp:base_blog_url', 'baseBlogUrl'],
]);

/** Reads a `wp:author` element. */
export function exportAuthor(fields: ElementFields): ExportAuthor {
  return {
    id: fields.id('wp:author_id'),
    login: fields.trimmed('wp:author_login'),
    email: fields.trimmed('wp:author_email'),
    displayName: fields.trimmed('wp:author_display_name'),
    firstName: fields.trimmed('wp:author_first_name'),
    lastName: fields.trimmed('wp:author_last_name'),
  };
}

/** Readers of the elements that declare terms, by their names. */
export const termReaders: ReadonlyMap<string, (fields: ElementFields) => ExportTerm> = new Map([
  [
    'wp:category',
    (fields: ElementFields): ExportTerm => ({
      id: fields.id('wp:term_id'),
      taxonomy: 'category',
      slug: fields.trimmed('wp:category_nicename'),
      parent: fields.trimmed('wp:category_parent'),
      name: fields.trimmed('wp:cat_name'),
      description: fields.text('wp:category_description'),
    }),
  ],
  [
    'wp:tag',
    (fields: ElementFields): ExportTerm => ({
      id: fields.id('wp:term_id'),
      taxonomy: 'post_tag',
      slug: fields.trimmed('wp:tag_slug'),
      parent: '',
      name: fields.trimmed('wp:tag_name'),
      description: fields.text('wp:tag_description'),
    }),
  ],
  [
    'wp:term',
    (fields: ElementFields): ExportTerm => ({
      id: fields.id('wp:term_id'),
      taxonomy: fields.trimmed('wp:term_taxonomy'),
      slug: fields.trimmed('wp:term_slug'),
      parent: fields.trimmed('wp:term_parent'),
      name: fields.trimmed('wp:term_name'),
      description: fields.text('wp:term_description'),
    }),
  ],
]);
