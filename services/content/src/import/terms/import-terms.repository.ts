import { columnsOf, type Queryable, type Row } from '@quire/database';
import { Taxonomy } from '../../taxonomies/definitions/index.js';

/** A taxonomy; `collections` as they are stored, deleted ones included. */
export type LockedTaxonomy = Omit<Row<Taxonomy>, 'createdAt'>;

/** A term by its slug in one locale. */
export interface TermKey {
  taxonomyId: string;
  slug: string;
}

/** A stored term with its place. */
export interface PlacedTerm extends TermKey {
  id: string;
  groupId: string;
  parentId: string | null;
}

/** A term to create, under the id of its group. */
export interface NewTerm extends TermKey {
  id: string;
  label: string;
  description: string | null;
}

/** Locks taxonomies in the order of their names until the transaction ends. @returns those that exist. */
export function lockTaxonomies(tx: Queryable, names: readonly string[]): Promise<LockedTaxonomy[]> {
  return tx.query<LockedTaxonomy>(
    `SELECT ${columnsOf(Taxonomy, { except: ['createdAt'] })} FROM taxonomies
     WHERE name = ANY($1) ORDER BY name FOR UPDATE`,
    [names],
  );
}

/** @returns those of the slugs that are collections, in their order. */
export async function selectKnownCollections(sql: Queryable, slugs: readonly string[]): Promise<Set<string>> {
  const rows = await sql.query<{ slug: string }>('SELECT slug FROM collections WHERE slug = ANY($1)', [
    slugs,
  ]);
  return new Set(rows.map(({ slug }) => slug));
}

/** @returns the terms of one locale with these slugs. */
export function selectPlacedTerms(
  sql: Queryable,
  locale: string,
  keys: readonly TermKey[],
): Promise<PlacedTerm[]> {
  return sql.query<PlacedTerm>({
    prepared: true,
    text: `SELECT r.taxonomy_id AS "taxonomyId", r.slug, r.id, r.group_id AS "groupId", g.parent_id AS "parentId"
      FROM unnest($2::text[], $3::text[]) AS k (taxonomy_id, slug)
      JOIN terms r ON r.taxonomy_id = k.taxonomy_id AND r.locale = $1 AND r.slug = k.slug
      JOIN term_groups g ON g.id = r.group_id`,
    values: [locale, keys.map(({ taxonomyId }) => taxonomyId), keys.map(({ slug }) => slug)],
  });
}

/** Creates terms at the end of the roots of their taxonomies, which are locked. One statement. */
export async function insertTerms(sql: Queryable, locale: string, terms: readonly NewTerm[]): Promise<void> {
  if (terms.length === 0) return;
  await sql.query({
    prepared: true,
    text: `
      WITH given AS (
        SELECT *, row_number() OVER (PARTITION BY taxonomy_id ORDER BY position) - 1 AS place
        FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
          WITH ORDINALITY AS n (id, taxonomy_id, slug, label, description, position)
      ), next AS (
        SELECT taxonomy_id, max(sort_order) + 1 AS sort_order FROM term_groups
        WHERE taxonomy_id IN (SELECT taxonomy_id FROM given) AND parent_id IS NULL GROUP BY taxonomy_id
      ), created AS (
        INSERT INTO term_groups (id, taxonomy_id, parent_id, sort_order)
        SELECT n.id, n.taxonomy_id, NULL, coalesce(next.sort_order, 0) + n.place
        FROM given n LEFT JOIN next ON next.taxonomy_id = n.taxonomy_id
      )
      INSERT INTO terms (id, group_id, taxonomy_id, locale, slug, label, description)
      SELECT id, id, taxonomy_id, $1, slug, label, description FROM given`,
    values: [
      locale,
      terms.map(({ id }) => id),
      terms.map(({ taxonomyId }) => taxonomyId),
      terms.map(({ slug }) => slug),
      terms.map(({ label }) => label),
      terms.map(({ description }) => description),
    ],
  });
}

/** @returns the parent of each group, and of all its ancestors. */
export async function selectParents(
  sql: Queryable,
  groups: readonly string[],
): Promise<Map<string, string | null>> {
  const rows = await sql.query<{ id: string; parentId: string | null }>({
    prepared: true,
    text: `WITH RECURSIVE up AS (
        SELECT id, parent_id FROM term_groups WHERE id = ANY($1)
        UNION SELECT g.id, g.parent_id FROM term_groups g JOIN up ON g.id = up.parent_id
      ) SELECT id, parent_id AS "parentId" FROM up`,
    values: [groups],
  });
  return new Map(rows.map(({ id, parentId }) => [id, parentId]));
}

/** Moves groups to the end of the children of their new parents. One statement. */
export async function updateParents(
  sql: Queryable,
  moves: readonly { groupId: string; parentId: string }[],
): Promise<void> {
  if (moves.length === 0) return;
  await sql.query({
    prepared: true,
    text: `
      WITH moved AS (
        SELECT id, parent_id, row_number() OVER (PARTITION BY parent_id ORDER BY position) - 1 AS place
        FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS m (id, parent_id, position)
      ), next AS (
        SELECT parent_id, max(sort_order) + 1 AS sort_order FROM term_groups
        WHERE parent_id IN (SELECT parent_id FROM moved) GROUP BY parent_id
      )
      UPDATE term_groups g SET parent_id = m.parent_id, sort_order = coalesce(next.sort_order, 0) + m.place
      FROM moved m LEFT JOIN next ON next.parent_id = m.parent_id WHERE g.id = m.id`,
    values: [moves.map(({ groupId }) => groupId), moves.map(({ parentId }) => parentId)],
  });
}
