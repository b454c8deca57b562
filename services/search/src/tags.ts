/** Descriptions of the tags of the service's documented operations. */
export const searchTags = {
  Search: 'Full-text search and its index',
} as const;
