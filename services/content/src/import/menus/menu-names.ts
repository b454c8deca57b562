const maxLength = 100;

/** @returns the name of a menu by the pattern of menus: lower case, digits, `_` and `-`. */
export function menuName(name: string): string {
  const legal = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, maxLength)
    .replace(/-+$/, '');
  return legal === '' ? 'menu' : legal;
}
