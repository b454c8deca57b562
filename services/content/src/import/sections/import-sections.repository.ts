import type { Queryable } from '@quire/database';

/** A section to create. */
export interface NewSection {
  id: string;
  slug: string;
  title: string;
  content: readonly Record<string, unknown>[];
}

/** @returns the ids of sections by slug: those with one of the slugs, and those with one of the ids. */
export async function selectSectionIds(
  sql: Queryable,
  slugs: readonly string[],
  ids: readonly string[],
): Promise<{ bySlug: Set<string>; byId: Set<string> }> {
  const rows = await sql.query<{ id: string; slug: string }>(
    'SELECT id, slug FROM sections WHERE slug = ANY($1) OR id = ANY($2)',
    [slugs, ids],
  );
  return {
    bySlug: new Set(rows.map(({ slug }) => slug)),
    byId: new Set(rows.map(({ id }) => id)),
  };
}

/** Creates sections with one statement. @returns the ids of those whose slug was free. */
export async function insertSections(sql: Queryable, sections: readonly NewSection[]): Promise<Set<string>> {
  if (sections.length === 0) return new Set();
  const rows = await sql.query<{ id: string }>({
    prepared: true,
    text: `INSERT INTO sections (id, slug, title, content, keywords, source)
      SELECT id, slug, title, content, '{}', 'import'
      FROM unnest($1::text[], $2::text[], $3::text[], $4::json[]) AS n (id, slug, title, content)
      ON CONFLICT (slug) DO NOTHING RETURNING id`,
    values: [
      sections.map(({ id }) => id),
      sections.map(({ slug }) => slug),
      sections.map(({ title }) => title),
      sections.map(({ content }) => JSON.stringify(content)),
    ],
  });
  return new Set(rows.map(({ id }) => id));
}
