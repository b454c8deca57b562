/** @param allowed an entry that ends in `/` is a prefix */
export function isAllowedType(type: string, allowed: readonly string[]): boolean {
  return allowed.some((entry) =>
    entry.endsWith('/') ? type.startsWith(entry) : type === entry.toLowerCase(),
  );
}
