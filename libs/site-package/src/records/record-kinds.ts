/**
 * The kinds of records in the order in which a package has them, and in which an import writes them: what a record
 * refers to precedes it, except parents of the same kind and the revisions of an entry.
 */
export const recordKinds = [
  'principals',
  'settings',
  'block_types',
  'block_type_versions',
  'collections',
  'fields',
  'relations',
  'search_collections',
  'media_folders',
  'media_items',
  'byline_fields',
  'byline_groups',
  'bylines',
  'taxonomies',
  'taxonomy_definitions',
  'term_groups',
  'terms',
  'entries',
  'revisions',
  'entry_bylines',
  'entry_terms',
  'reference_links',
  'comments',
  'sections',
  'menus',
  'menu_items',
  'widget_areas',
  'widgets',
  'redirects',
] as const;

export type RecordKind = (typeof recordKinds)[number];
