/** Descriptions of the tags of the service's documented operations. */
export const contentTags = {
  Content: 'Entries of every collection: drafts, publishing, schedules, translations, trash',
  Schema: 'Collections, their fields, and block types',
  Comments: 'Comments of visitors and their moderation',
  Taxonomies: 'Classifications and their terms',
  Menus: 'Navigation menus and their items',
  Sections: 'Reusable parts of pages',
  Widgets: 'Widget areas and their widgets',
  Settings: 'Settings of the site',
  Redirects: 'Redirects and the log of paths that were not found',
} as const;
