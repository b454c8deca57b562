/** The pattern by which LIKE finds texts that have this one in them, its wildcards taken as they are. */
export const likeContaining = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
