/** Accepted types when the field names none; an entry that ends in `/` is a prefix (contract 11). */
export const defaultAllowedTypes: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'video/',
  'audio/',
  'application/pdf',
];

export function isAllowedType(type: string, allowed: readonly string[]): boolean {
  return allowed.some((entry) =>
    entry.endsWith('/') ? type.startsWith(entry) : type === entry.toLowerCase(),
  );
}
