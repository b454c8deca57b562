import type { Queryable, Statement } from '@quire/database';

/** A term in one locale, of a group that is assigned to an entry. */
export interface AssignedTerm {
  id: string;
  slug: string;
  label: string;
  parentId: string | null;
  locale: string;
  translationGroup: string;
}

/**
 * Keeps terms from being deleted until the transaction ends. Writers lock terms before assignments, and both in the
 * order of their keys, so that they do not deadlock.
 * @returns those of the groups that exist.
 */
export async function lockTermGroups(tx: Queryable, groups: readonly string[]): Promise<string[]> {
  if (groups.length === 0) return [];
  const rows = await tx.query<{ id: string }>({
    prepared: true,
    text: 'SELECT id FROM term_groups WHERE id = ANY($1) ORDER BY id FOR KEY SHARE',
    values: [groups],
  });
  return rows.map(({ id }) => id);
}

/**
 * Deletes all assignments of terms that the transaction deletes afterwards. Until it ends, no other one can assign
 * these terms; assignments of other terms do not wait.
 */
export async function deleteAssignmentsOf(tx: Queryable, groups: readonly string[]): Promise<void> {
  await tx.query('SELECT 1 FROM term_groups WHERE id = ANY($1) ORDER BY id FOR UPDATE', [groups]);
  await tx.query(
    `WITH removed AS (
       SELECT entry_group, term_group FROM entry_terms WHERE term_group = ANY($1) ORDER BY 1, 2 FOR UPDATE
     ) DELETE FROM entry_terms x USING removed r
       WHERE x.entry_group = r.entry_group AND x.term_group = r.term_group`,
    [groups],
  );
}

/** @returns the terms of a taxonomy that an entry (its translation group) has, in every locale, in order. */
export async function selectAssignedTerms(
  sql: Queryable,
  entryGroup: string,
  taxonomyId: string,
): Promise<AssignedTerm[]> {
  return sql.query<AssignedTerm>({
    prepared: true,
    text: `
      SELECT r.id, r.slug, r.label, g.parent_id AS "parentId", r.locale, g.id AS "translationGroup"
      FROM entry_terms x JOIN term_groups g ON g.id = x.term_group JOIN terms r ON r.group_id = g.id
      WHERE x.entry_group = $1 AND g.taxonomy_id = $2
      ORDER BY g.sort_order, g.id, r.locale COLLATE "C"`,
    values: [entryGroup, taxonomyId],
  });
}

/** An entry by its translation group. */
export interface Assignee {
  entryGroup: string;
  collection: string;
}

/** The terms of one taxonomy for an entry. */
export interface NamedTerms {
  taxonomyId: string;
  termGroups: readonly string[];
}

/** Statements that replace an entry's terms of each named taxonomy. A term that is being deleted is left out. */
export function assignmentStatements(
  { entryGroup, collection }: Assignee,
  named: readonly NamedTerms[],
): Statement[] {
  if (named.length === 0) return [];
  const termGroups = named.flatMap((terms) => terms.termGroups);
  return [
    {
      prepared: true,
      // Locks the named terms before the first assignment.
      text: `
        WITH named AS (
          SELECT id FROM term_groups WHERE id = ANY($3) ORDER BY id FOR KEY SHARE
        ), removed AS (
          SELECT x.term_group FROM entry_terms x JOIN term_groups g ON g.id = x.term_group
          WHERE x.entry_group = $1 AND g.taxonomy_id = ANY($2) AND g.id <> ALL(ARRAY(SELECT id FROM named))
          ORDER BY 1 FOR UPDATE OF x
        ) DELETE FROM entry_terms x USING removed r WHERE x.entry_group = $1 AND x.term_group = r.term_group`,
      values: [entryGroup, named.map(({ taxonomyId }) => taxonomyId), termGroups],
    },
    {
      prepared: true,
      text: `
        WITH locked AS (SELECT id FROM term_groups WHERE id = ANY($3) ORDER BY id FOR KEY SHARE)
        INSERT INTO entry_terms (entry_group, term_group, collection) SELECT $1, id, $2 FROM locked
        ON CONFLICT (entry_group, term_group) DO NOTHING`,
      values: [entryGroup, collection, termGroups],
    },
  ];
}

/** Copies the terms of an entry to another of the same collection. */
export function copyAssignments(fromGroup: string, toGroup: string): Statement {
  return {
    // Locks the terms: one that is being deleted is left out.
    text: `
      INSERT INTO entry_terms (entry_group, term_group, collection)
      SELECT $2, x.term_group, x.collection FROM entry_terms x JOIN term_groups g ON g.id = x.term_group
      WHERE x.entry_group = $1 ORDER BY g.id FOR KEY SHARE OF g`,
    values: [fromGroup, toGroup],
  };
}

/** A taxonomy that assignments name. */
export interface NamedTaxonomy {
  id: string;
  name: string;
  /** Slugs of the collections that it is for. */
  collections: string[];
}

export function selectTaxonomiesByName(sql: Queryable, names: readonly string[]): Promise<NamedTaxonomy[]> {
  return sql.query<NamedTaxonomy>('SELECT id, name, collections FROM taxonomies WHERE name = ANY($1)', [
    names,
  ]);
}

/** @returns the terms of one locale that have one of the slugs, by taxonomy and group. */
export function selectTermsBySlug(
  sql: Queryable,
  {
    taxonomyIds,
    locale,
    slugs,
  }: { taxonomyIds: readonly string[]; locale: string; slugs: readonly string[] },
): Promise<{ taxonomyId: string; slug: string; group: string }[]> {
  return sql.query(
    `SELECT taxonomy_id AS "taxonomyId", slug, group_id AS "group" FROM terms
     WHERE taxonomy_id = ANY($1) AND locale = $2 AND slug = ANY($3)`,
    [taxonomyIds, locale, slugs],
  );
}

/** Slugs of terms by the name of their taxonomy. */
export type NamedSlugs = Readonly<Record<string, readonly string[]>>;

/** @returns for each taxonomy the groups of the terms that have one of the slugs in any locale. */
export async function selectTermGroups(sql: Queryable, named: NamedSlugs): Promise<string[][]> {
  const names = Object.keys(named);
  if (names.length === 0) return [];
  const pairs = names.flatMap((name) => (named[name] ?? []).map((slug) => ({ name, slug })));
  const rows = await sql.query<{ name: string; group: string }>({
    prepared: true,
    text: `
      SELECT DISTINCT y.name, r.group_id AS "group" FROM unnest($1::text[], $2::text[]) AS sought (name, slug)
      JOIN taxonomies y ON y.name = sought.name JOIN terms r ON r.taxonomy_id = y.id AND r.slug = sought.slug`,
    values: [pairs.map(({ name }) => name), pairs.map(({ slug }) => slug)],
  });
  return names.map((name) => rows.flatMap((row) => (row.name === name ? [row.group] : [])));
}
