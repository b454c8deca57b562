/** Descriptions of the tags of the service's documented operations. */
export const transferTags = {
  'Site transfer': 'Export and import of the whole site as a package of files',
} as const;
