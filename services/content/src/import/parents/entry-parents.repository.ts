import { parentField } from '@quire/content-model';
import { identifier, type Queryable } from '@quire/database';
import { contentTableName, otherSide, type RelationSide } from '../../schema/index.js';
import type { StoredRecord } from '../records/index.js';

/** The relation that the field for parents of a collection views: between entries of that collection. */
export interface Hierarchy {
  collection: string;
  relationId: string;
  /** The end of the child, whose field selects the parent. */
  side: RelationSide;
}

/** @returns the hierarchies of those of the collections whose field for parents selects their own entries. */
export function selectHierarchies(tx: Queryable, collections: readonly string[]): Promise<Hierarchy[]> {
  return tx.query<Hierarchy>(
    `SELECT c.slug AS collection, r.id AS "relationId", f.validation ->> 'relationSide' AS side
     FROM collections c
     JOIN fields f ON f.collection_id = c.id AND f.slug = $2 AND f.type = 'reference'
     JOIN relations r ON r.slug = f.validation ->> 'relation'
       AND r.parent_collection = c.slug AND r.child_collection = c.slug
     WHERE c.slug = ANY($1) ORDER BY c.slug FOR KEY SHARE OF c`,
    [collections, parentField.slug],
  );
}

/** An entry that is as an import left it. */
export interface PlacedEntry {
  id: string;
  group: string;
  /** The group that an import has made its parent; null for none. */
  linkedGroup: string | null;
  /** The group of the parent that the source names; null for none, and for one that is not in the collection. */
  wantedGroup: string | null;
}

/**
 * Locks entries, with their translations, until the transaction ends.
 * @param records of entries of the collection
 * @returns those that no user has edited, trashed or opened for editing since an import wrote them, in the given order.
 */
export async function lockPlacedEntries(
  tx: Queryable,
  { collection }: Hierarchy,
  records: readonly StoredRecord[],
): Promise<PlacedEntry[]> {
  const table = identifier(contentTableName(collection));
  await tx.query(
    `SELECT 1 FROM ${table} WHERE _translation_group IN (SELECT _translation_group FROM ${table} WHERE id = ANY($1))
     ORDER BY id FOR NO KEY UPDATE`,
    [records.map(({ targetId }) => targetId)],
  );
  return tx.query<PlacedEntry>(
    `SELECT e.id, e._translation_group AS "group", r.parent_group AS "linkedGroup",
       p._translation_group AS "wantedGroup"
     FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS k (site, type, id, position)
     JOIN import_records r ON r.site = k.site AND r.source_type = k.type AND r.source_id = k.id
     JOIN ${table} e ON e.id = r.target_id AND e.version = r.target_version
       AND (e.deleted_at IS NOT NULL) = r.is_trashed
     LEFT JOIN import_records above ON above.site = r.site AND above.source_type = r.parent_type
       AND above.source_id = r.parent_id AND above.kind = 'entry'
     LEFT JOIN ${table} p ON p.id = above.target_id
     WHERE NOT EXISTS (SELECT FROM entry_locks l WHERE l.entry_id = e.id AND l.expires_at > now())
     ORDER BY k.position`,
    [
      records.map(({ site }) => site),
      records.map(({ sourceType }) => sourceType),
      records.map(({ sourceId }) => sourceId),
    ],
  );
}

/** @returns the parent of each group that has one, and of all above it. */
export async function selectParents(
  tx: Queryable,
  { relationId, side }: Hierarchy,
  groups: readonly string[],
): Promise<Map<string, string | null>> {
  const [child, parent] = [`${side}_group`, `${otherSide(side)}_group`];
  const rows = await tx.query<{ group: string; parentGroup: string }>(
    `WITH RECURSIVE up (child, parent) AS (
       SELECT ${child}, ${parent} FROM reference_links WHERE relation_id = $1 AND ${child} = ANY($2)
       UNION SELECT l.${child}, l.${parent} FROM reference_links l JOIN up ON l.${child} = up.parent
       WHERE l.relation_id = $1
     ) SELECT child AS "group", parent AS "parentGroup" FROM up`,
    [relationId, groups],
  );
  return new Map(rows.map(({ group, parentGroup }) => [group, parentGroup]));
}

/** An entry whose group gets another parent; null for none. */
export interface Move {
  id: string;
  group: string;
  parentGroup: string | null;
}

/** Replaces the parents of groups, and stores them in the records of their entries. Three statements. */
export async function updateParents(
  tx: Queryable,
  { relationId, side }: Hierarchy,
  moves: readonly Move[],
): Promise<void> {
  if (moves.length === 0) return;
  const [child, parent] = [`${side}_group`, `${otherSide(side)}_group`];
  const groups = moves.map(({ group }) => group);
  const parents = moves.map(({ parentGroup }) => parentGroup);
  await tx.query(`DELETE FROM reference_links WHERE relation_id = $1 AND ${child} = ANY($2)`, [
    relationId,
    groups,
  ]);
  await tx.query(
    `INSERT INTO reference_links (relation_id, parent_group, child_group, sort_order)
     SELECT $1, m.parent_group, m.child_group, coalesce((
         SELECT max(l.sort_order) + 1 FROM reference_links l
         WHERE l.relation_id = $1 AND l.parent_group = m.parent_group
       ), 0) + row_number() OVER (PARTITION BY m.parent_group ORDER BY m.position) - 1
     FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS m (${child}, ${parent}, position)
     WHERE m.${parent} IS NOT NULL`,
    [relationId, groups, parents],
  );
  await tx.query(
    `UPDATE import_records r SET parent_group = m.parent_group
     FROM unnest($1::text[], $2::text[]) AS m (id, parent_group) WHERE r.target_id = m.id AND r.kind = 'entry'`,
    [moves.map(({ id }) => id), parents],
  );
}
