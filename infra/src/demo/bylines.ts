import type { Api } from './api.js';
import type { Export, ExportFile } from './export.js';
import { collectionOf } from './schema.js';

/** The authors of imported entries: declared ones, and logins that only entries name. */
function authorsOf({ authors, items }: Export): { login: string; name: string }[] {
  const names = new Map(authors.map(({ login, name }) => [login, name]));
  const logins = items.flatMap(({ type, author }) => (collectionOf(type) && author ? [author] : []));
  return [...new Set(logins)].map((login) => ({ login, name: names.get(login) || login }));
}

/** A byline's slug from a login. The same login in two exports is two authors. */
function freeSlug(login: string, taken: Set<string>): string {
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

export const creditKey = (file: string, login: string) => `${file}/${login}`;

interface Byline {
  id: string;
  slug: string;
  locale: string;
}

/**
 * Creates a guest byline for every author. The order of the exports decides the slugs, so that a second run finds them
 * again.
 * @returns the ids of bylines by `creditKey`; empty when this Quire has no bylines
 */
export async function importBylines(api: Api, exports: readonly ExportFile[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const { status } = await api.send('GET', '/admin/bylines?limit=1');
  if (status === 404) {
    console.log('  this Quire has no routes for bylines (404): entries go without');
    return ids;
  }
  const known = await api.all<Byline>('/admin/bylines');
  const taken = new Set<string>();
  let created = 0;
  for (const { file, locale, ...content } of exports) {
    for (const { login, name } of authorsOf(content)) {
      const slug = freeSlug(login, taken);
      const existing = known.find((byline) => byline.slug === slug && byline.locale === locale);
      const byline =
        existing ??
        (await api.call<Byline>('POST', '/admin/bylines', {
          slug,
          displayName: name,
          isGuest: true,
          locale,
        }));
      if (!existing) created += 1;
      ids.set(creditKey(file, login), byline.id);
    }
  }
  console.log(`  ${created} created, ${ids.size - created} there already`);
  return ids;
}
