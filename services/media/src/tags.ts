/** Descriptions of the tags of the service's documented operations. */
export const mediaTags = {
  Media: 'Files, their folders, and where they are used',
  'Media usage': 'Activation and repair of the index that records where files are used',
} as const;
