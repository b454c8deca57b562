import { identifier, type Queryable } from '@quire/database';
import { contentTableName } from '../../schema/index.js';

/** The target of a menu item. */
export interface MenuTarget {
  /** Id of the entry, or key of the term. */
  id: string;
  /** The translation group. */
  group: string;
  title: string | null;
}

/** Locks collections against deletion. @returns those of the slugs that exist, with the field of their titles. */
export function lockTitledCollections(
  tx: Queryable,
  slugs: readonly string[],
): Promise<{ slug: string; titleField: string | null }[]> {
  return tx.query(
    `SELECT slug, title_field AS "titleField" FROM collections WHERE slug = ANY($1) ORDER BY slug FOR KEY SHARE`,
    [slugs],
  );
}

/** @returns the entries of these ids that are not in the trash. */
export function selectEntryTargets(
  sql: Queryable,
  { slug, titleField }: { slug: string; titleField: string | null },
  ids: readonly string[],
): Promise<MenuTarget[]> {
  // The title is read from JSON by its name: a collection need not have such a field.
  return sql.query<MenuTarget>(
    `SELECT e.id, e._translation_group AS "group",
       coalesce(j.entry ->> $2::text, j.entry ->> 'title', j.entry ->> 'name') AS title
     FROM ${identifier(contentTableName(slug))} e CROSS JOIN LATERAL (SELECT to_jsonb(e) AS entry) j
     WHERE e.id = ANY($1) AND e.deleted_at IS NULL`,
    [ids, titleField],
  );
}

/** @returns the terms of one locale with these slugs; `id` is `taxonomy/slug`. */
export function selectTermTargets(
  sql: Queryable,
  locale: string,
  terms: readonly { taxonomy: string; slug: string }[],
): Promise<MenuTarget[]> {
  return sql.query<MenuTarget>(
    `SELECT t.name || '/' || r.slug AS id, r.group_id AS "group", r.label AS title
     FROM unnest($2::text[], $3::text[]) AS k (taxonomy, slug) JOIN taxonomies t ON t.name = k.taxonomy
     JOIN terms r ON r.taxonomy_id = t.id AND r.locale = $1 AND r.slug = k.slug`,
    [locale, terms.map(({ taxonomy }) => taxonomy), terms.map(({ slug }) => slug)],
  );
}
