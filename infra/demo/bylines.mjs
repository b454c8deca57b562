import { collections } from './schema.mjs';

/** Whose entries we import: declared authors, and logins that only entries name. */
function authorsOf({ authors, items }) {
  const names = new Map(authors.map(({ login, name }) => [login, name]));
  const logins = items.filter(({ type, author }) => collections[type] && author).map(({ author }) => author);
  return [...new Set(logins)].map((login) => ({ login, name: names.get(login) || login }));
}

/** A byline's slug from a login; people of one login in two exports are two people. */
function freeSlug(login, taken) {
  const plain = login
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');
  const stem = plain || 'author';
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? stem : `${stem}-${number}`;
    if (taken.has(slug)) continue;
    taken.add(slug);
    return slug;
  }
}

export const creditKey = (file, login) => `${file}/${login}`;

/**
 * Makes a guest byline of every author; the order of the exports decides the slugs, so that a second run finds them
 * again.
 * @returns {Promise<Map<string, string>>} the ids of bylines by `creditKey`; empty when this Quire has no bylines
 */
export async function importBylines(api, exports) {
  const ids = new Map();
  const { status } = await api.send('GET', '/admin/bylines?limit=1');
  if (status === 404) {
    console.log('  this Quire has no routes for bylines (404): entries go without');
    return ids;
  }
  const known = await api.all('/admin/bylines');
  const taken = new Set();
  let made = 0;
  for (const { file, locale, ...content } of exports) {
    for (const { login, name } of authorsOf(content)) {
      const slug = freeSlug(login, taken);
      const existing = known.find((byline) => byline.slug === slug && byline.locale === locale);
      const byline =
        existing ??
        (await api.call('POST', '/admin/bylines', { slug, displayName: name, isGuest: true, locale }));
      if (!existing) made += 1;
      ids.set(creditKey(file, login), byline.id);
    }
  }
  console.log(`  ${made} made, ${ids.size - made} there already`);
  return ids;
}
