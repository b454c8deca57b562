/** Descriptions of the tags of the service's documented operations. */
export const transferTags = {} as const;
