/** The LIKE pattern of texts that contain this one; wildcards in it are escaped. */
export const likeContaining = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
