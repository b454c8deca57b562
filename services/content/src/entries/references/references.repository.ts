import { identifier, Parameters, type KeysetPage, type Queryable } from '@quire/database';
import {
  contentTableName,
  otherSide,
  type CollectionDefinition,
  type RelationReference,
} from '../../schema/index.js';
import { linkedEntries, type LinkedRow, type SelectionView } from './linked-entries.js';

type RelationEnd = Pick<RelationReference, 'relationId' | 'side'>;

/** The limits of a relation for one end, null for none. */
export interface LinkLimits {
  /** Entries that an entry on the selecting end may select. */
  own: number | null;
  /** Entries that may select an entry on the other end. */
  other: number | null;
}

/** @returns the limits of a relation; undefined when it does not exist. */
export function selectLinkLimits(sql: Queryable, end: RelationEnd): Promise<LinkLimits | undefined> {
  return selectLimits(sql, end, '');
}

/**
 * Keeps the limits of a relation from being changed until the transaction ends. Writers of a relation with a limit are
 * also locked against each other, so that they cannot exceed it together; those of a relation without limits do not
 * wait for each other. The second lock does not conflict with the first: writers that read a new limit while both held
 * the first one do not deadlock.
 * @returns the limits; undefined when the relation does not exist.
 */
export async function lockLinkLimits(tx: Queryable, end: RelationEnd): Promise<LinkLimits | undefined> {
  const limits = await selectLimits(tx, end, 'FOR KEY SHARE');
  if (!limits || (limits.own === null && limits.other === null)) return limits;
  return selectLimits(tx, end, 'FOR NO KEY UPDATE');
}

async function selectLimits(
  sql: Queryable,
  { relationId, side }: RelationEnd,
  lock: '' | 'FOR KEY SHARE' | 'FOR NO KEY UPDATE',
): Promise<LinkLimits | undefined> {
  const [row] = await sql.query<{ children: number | null; parents: number | null }>(
    `SELECT max_children_per_parent AS children, max_parents_per_child AS parents FROM relations
     WHERE id = $1 ${lock}`,
    [relationId],
  );
  if (!row) return undefined;
  return side === 'parent'
    ? { own: row.children, other: row.parents }
    : { own: row.parents, other: row.children };
}

/** @returns the selected groups that other entries already select as often as the limit allows. */
export async function selectFullGroups(
  sql: Queryable,
  group: string,
  { reference: { relationId, side }, groups }: { reference: RelationEnd; groups: readonly string[] },
  limit: number | null,
): Promise<string[]> {
  if (limit === null || groups.length === 0) return [];
  const other = `${otherSide(side)}_group`;
  const rows = await sql.query<{ group: string }>(
    `SELECT ${other} AS "group" FROM reference_links
     WHERE relation_id = $1 AND ${other} = ANY($2) AND ${side}_group <> $3
     GROUP BY 1 HAVING count(*) >= $4`,
    [relationId, groups, group, limit],
  );
  return rows.map((row) => row.group);
}

/**
 * Replaces the live selection of a group. Children have an order; a child that selects a parent becomes its last one.
 * Links are written in the order of their key: writers of both ends do not deadlock.
 */
export async function replaceLinks(
  tx: Queryable,
  group: string,
  { reference: { relationId, side }, groups }: { reference: RelationEnd; groups: readonly string[] },
): Promise<void> {
  const other = `${otherSide(side)}_group`;
  await tx.query(
    `WITH removed AS (
       SELECT parent_group, child_group FROM reference_links
       WHERE relation_id = $1 AND ${side}_group = $2 AND ${other} <> ALL($3) ORDER BY 1, 2 FOR UPDATE
     ) DELETE FROM reference_links l USING removed r
       WHERE l.relation_id = $1 AND l.parent_group = r.parent_group AND l.child_group = r.child_group`,
    [relationId, group, groups],
  );
  const insert =
    side === 'parent'
      ? `SELECT $1, $2, chosen.other, chosen.position - 1 FROM unnest($3::text[]) WITH ORDINALITY AS chosen (other, position)
         ORDER BY chosen.other
         ON CONFLICT (relation_id, parent_group, child_group) DO UPDATE SET sort_order = excluded.sort_order
         WHERE reference_links.sort_order <> excluded.sort_order`
      : `SELECT $1, chosen.other, $2, (
           SELECT coalesce(max(l.sort_order) + 1, 0) FROM reference_links l
           WHERE l.relation_id = $1 AND l.parent_group = chosen.other)
         FROM unnest($3::text[]) AS chosen (other) ORDER BY chosen.other
         ON CONFLICT DO NOTHING`;
  await tx.query(
    `INSERT INTO reference_links (relation_id, parent_group, child_group, sort_order) ${insert}`,
    [relationId, group, groups],
  );
}

/** @returns the live selection of a group, in order. */
export async function selectLiveGroups(
  sql: Queryable,
  { relationId, side }: RelationEnd,
  group: string,
): Promise<string[]> {
  const other = `${otherSide(side)}_group`;
  const rows = await sql.query<{ group: string }>(
    `SELECT ${other} AS "group" FROM reference_links WHERE relation_id = $1 AND ${side}_group = $2
     ORDER BY sort_order, ${other}`,
    [relationId, group],
  );
  return rows.map((row) => row.group);
}

/** Whether a group has a live selection. */
export async function hasLiveSelection(
  sql: Queryable,
  { relationId, side }: RelationEnd,
  group: string,
): Promise<boolean> {
  const links = await sql.query(
    `SELECT 1 FROM reference_links WHERE relation_id = $1 AND ${side}_group = $2 LIMIT 1`,
    [relationId, group],
  );
  return links.length > 0;
}

/** Whether readers see an entry of the group. */
export async function isGroupPublished(
  sql: Queryable,
  { table }: CollectionDefinition,
  group: string,
): Promise<boolean> {
  const published = await sql.query(
    `SELECT 1 FROM ${identifier(table)}
     WHERE _translation_group = $1 AND status = 'published' AND deleted_at IS NULL LIMIT 1`,
    [group],
  );
  return published.length > 0;
}

/** @returns the translation group of each id that is an entry of the target collection. */
export async function selectGroups(
  sql: Queryable,
  { target }: Pick<RelationReference, 'target'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.query<{ id: string; group: string }>(
    `SELECT id, _translation_group AS "group" FROM ${identifier(contentTableName(target))}
     WHERE id = ANY($1) AND deleted_at IS NULL`,
    [ids],
  );
  return new Map(rows.map(({ id, group }) => [id, group]));
}

/** Whether a collection exists. */
export async function collectionExists(sql: Queryable, slug: string): Promise<boolean> {
  const collections = await sql.query('SELECT 1 FROM collections WHERE slug = $1', [slug]);
  return collections.length > 0;
}

/** @returns those of the ids that name an entry outside of the trash. */
export async function selectExistingIds(
  sql: Queryable,
  table: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await sql.query<{ id: string }>(
    `SELECT id FROM ${identifier(table)} WHERE id = ANY($1) AND deleted_at IS NULL`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** @returns a page of the entries that an entry selects, and one more if there is a next page. */
export async function selectLinkedEntries(
  sql: Queryable,
  { table, statementKey }: Pick<CollectionDefinition, 'table' | 'statementKey'>,
  reference: RelationReference,
  { id, view, page, limit }: { id: string; view: SelectionView; page: KeysetPage; limit: number },
): Promise<LinkedRow[]> {
  const params = new Parameters();
  const entry = params.add(id);
  const after = page.condition(params);
  const linked = linkedEntries(reference, view, { limit: params.add(limit + 1), after });
  const [row] = await sql.query<{ linked: LinkedRow[] }>(
    `SELECT /* ${statementKey} */ ${linked} AS linked
     FROM ${identifier(table)} e LEFT JOIN revisions d ON d.id = e.draft_revision_id WHERE e.id = ${entry}`,
    params.values,
  );
  return row?.linked ?? [];
}
