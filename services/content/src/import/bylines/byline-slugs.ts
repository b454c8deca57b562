const maxLength = 200;
/** Leaves room for a suffix. */
const maxBaseLength = maxLength - 10;
const fallback = 'author';

/** @returns the slug of a byline for a login of the source, by the pattern of bylines (contract 2.5). */
export function bylineSlug(login: string): string {
  const slug = login
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, maxBaseLength)
    .replace(/-+$/, '');
  return slug === '' ? fallback : slug;
}

/**
 * @param taken slugs in use; gets the result
 * @returns the base, or the base with the first free suffix from `-2`.
 */
export function takeSlug(base: string, taken: Set<string>): string {
  let slug = base;
  for (let suffix = 2; taken.has(slug); suffix += 1) slug = `${base}-${suffix}`;
  taken.add(slug);
  return slug;
}
