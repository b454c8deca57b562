import type { Queryable, Row } from '@quire/database';
import type { ImportItem, ItemKind } from './import-item.entity.js';
import type { ItemState } from './import-state.js';

/** An item to store. The position is given by the caller. */
export interface NewItem {
  position: number;
  kind: ItemKind;
  sourceType: string;
  sourceId?: string | null;
  offset?: number;
  length?: number;
  line?: number;
  title?: string | null;
  slug?: string | null;
  parentId?: string | null;
  languageGroup?: string | null;
  facts?: object;
  state: ItemState;
}

/** An item with the place of its source in the file. */
export type StoredItem = Pick<
  Row<ImportItem>,
  'position' | 'kind' | 'sourceType' | 'sourceId' | 'title' | 'slug' | 'parentId' | 'languageGroup' | 'line'
> & { offset: number; length: number; facts: object };

const itemColumns = `position, kind, source_type AS "sourceType", source_id AS "sourceId", title, slug,
  parent_id AS "parentId", language_group AS "languageGroup", line, file_offset::float8 AS "offset", length, facts`;

/** Stores items with one statement. */
export async function insertItems(
  sql: Queryable,
  importId: string,
  items: readonly NewItem[],
): Promise<void> {
  if (items.length === 0) return;
  await sql.query({
    prepared: true,
    text: `INSERT INTO import_items (import_id, position, kind, source_type, source_id, file_offset, length, line, title,
        slug, parent_id, language_group, facts, state)
      SELECT $1, i.position, i.kind, i."sourceType", i."sourceId", i."offset", i.length, i.line, i.title, i.slug,
        i."parentId", i."languageGroup", coalesce(i.facts, '{}'), i.state
      FROM json_to_recordset($2::json) AS i (position integer, kind text, "sourceType" text, "sourceId" text,
        "offset" bigint, length integer, line integer, title text, slug text, "parentId" text, "languageGroup" text,
        facts json, state text)`,
    values: [importId, JSON.stringify(items)],
  });
}

/** The next pending items of a kind after a position, in file order. */
export function selectPendingItems(
  sql: Queryable,
  importId: string,
  { kind, after, limit }: { kind: ItemKind; after: number; limit: number },
): Promise<StoredItem[]> {
  return sql.query<StoredItem>({
    prepared: true,
    text: `SELECT ${itemColumns} FROM import_items
      WHERE import_id = $1 AND kind = $2 AND position > $3 AND state = 'pending' ORDER BY position LIMIT $4`,
    values: [importId, kind, after, limit],
  });
}

/** SQL condition: an item of import `$1` is an entry with a parent, or one that an update may have taken it from. */
const isPlaced = `import_id = $1 AND kind = 'content' AND entry_id IS NOT NULL
  AND (parent_id IS NOT NULL OR state = 'updated')`;

/** The next items after a position whose entries may get another parent, in file order. */
export function selectPlacedItems(
  sql: Queryable,
  importId: string,
  { after, limit }: { after: number; limit: number },
): Promise<StoredItem[]> {
  return sql.query<StoredItem>({
    prepared: true,
    text: `SELECT ${itemColumns} FROM import_items WHERE ${isPlaced} AND position > $2 ORDER BY position LIMIT $3`,
    values: [importId, after, limit],
  });
}

/** The number of items whose entries may get another parent. */
export async function countPlacedItems(sql: Queryable, importId: string): Promise<number> {
  const text = `SELECT count(*)::integer AS count FROM import_items WHERE ${isPlaced}`;
  const [row] = await sql.query<{ count: number }>(text, [importId]);
  return row?.count ?? 0;
}

/** Items of a kind by their ids in the source; the first of each id. */
export function selectItemsBySource(
  sql: Queryable,
  importId: string,
  kind: ItemKind,
  sourceIds: readonly string[],
): Promise<StoredItem[]> {
  if (sourceIds.length === 0) return Promise.resolve([]);
  return sql.query<StoredItem>({
    prepared: true,
    text: `SELECT DISTINCT ON (source_id) ${itemColumns} FROM import_items
      WHERE import_id = $1 AND kind = $2 AND source_id = ANY($3) ORDER BY source_id, position`,
    values: [importId, kind, sourceIds],
  });
}

/** The next attachments after a position, in file order. */
export function selectAttachments(
  sql: Queryable,
  importId: string,
  { after, limit }: { after: number; limit: number },
): Promise<StoredItem[]> {
  return sql.query<StoredItem>({
    prepared: true,
    text: `SELECT ${itemColumns} FROM import_items
      WHERE import_id = $1 AND kind = 'attachment' AND position > $2 ORDER BY position LIMIT $3`,
    values: [importId, after, limit],
  });
}

/** Attachments whose parent is one of the items, in menu order (contract 3.3, galleries). */
export function selectChildAttachments(
  sql: Queryable,
  importId: string,
  parentIds: readonly string[],
): Promise<StoredItem[]> {
  if (parentIds.length === 0) return Promise.resolve([]);
  return sql.query<StoredItem>(
    `SELECT ${itemColumns} FROM import_items
     WHERE import_id = $1 AND kind = 'attachment' AND parent_id = ANY($2)
     ORDER BY (facts ->> 'menuOrder')::integer, position`,
    [importId, parentIds],
  );
}

/** The first item of each group of translations: the others translate it (contract 2.8). */
export function selectGroupAnchors(
  sql: Queryable,
  importId: string,
  groups: readonly string[],
): Promise<{ group: string; sourceType: string; sourceId: string }[]> {
  if (groups.length === 0) return Promise.resolve([]);
  return sql.query(
    `SELECT DISTINCT ON (language_group) language_group AS "group", source_type AS "sourceType", source_id AS "sourceId"
     FROM import_items WHERE import_id = $1 AND language_group = ANY($2) AND source_id IS NOT NULL
     ORDER BY language_group, position`,
    [importId, groups],
  );
}

/** The logins of the authors of entries, with the declared name where there is one. */
export function selectCreators(
  sql: Queryable,
  importId: string,
  after: string,
  limit: number,
): Promise<{ login: string; displayName: string | null }[]> {
  return sql.query(
    `SELECT login, (
         SELECT a.title FROM import_items a
         WHERE a.import_id = $1 AND a.kind = 'author' AND a.source_id = login ORDER BY a.position LIMIT 1
       ) AS "displayName"
     FROM (
       SELECT DISTINCT facts ->> 'creator' AS login FROM import_items
       WHERE import_id = $1 AND kind = 'content' AND state <> 'skipped'
     ) AS used WHERE login > $2 ORDER BY login LIMIT $3`,
    [importId, after, limit],
  );
}

/** What happened to an item. */
export interface ItemResult {
  position: number;
  state: ItemState;
  entryId?: string | null;
}

/** Records what happened to items. */
export async function updateItemResults(
  sql: Queryable,
  importId: string,
  results: readonly ItemResult[],
): Promise<void> {
  if (results.length === 0) return;
  await sql.query({
    prepared: true,
    text: `UPDATE import_items i SET state = r.state, entry_id = r."entryId"
      FROM json_to_recordset($2::json) AS r (position integer, state text, "entryId" text)
      WHERE i.import_id = $1 AND i.position = r.position`,
    values: [importId, JSON.stringify(results)],
  });
}

/** Skips the items of all post types but the mapped ones. */
export async function skipUnmappedTypes(
  sql: Queryable,
  importId: string,
  mappedTypes: readonly string[],
): Promise<void> {
  await sql.query(
    `UPDATE import_items SET state = 'skipped'
     WHERE import_id = $1 AND kind = 'content' AND state = 'pending' AND NOT source_type = ANY($2)`,
    [importId, mappedTypes],
  );
}

/** Skips the pending items of a kind. */
export async function skipKind(sql: Queryable, importId: string, kind: ItemKind): Promise<void> {
  await sql.query(
    `UPDATE import_items SET state = 'skipped' WHERE import_id = $1 AND kind = $2 AND state = 'pending'`,
    [importId, kind],
  );
}

/** The numbers of items by type and state: all items of the file, those that are no content too. */
export function countItemStates(
  sql: Queryable,
  importId: string,
): Promise<{ sourceType: string; state: ItemState; count: number }[]> {
  return sql.query(
    `SELECT source_type AS "sourceType", state, count(*)::integer AS count FROM import_items
     WHERE import_id = $1 AND kind NOT IN ('author', 'term', 'menu') GROUP BY source_type, state ORDER BY source_type, state`,
    [importId],
  );
}

/** The number of entries that were skipped: unchanged and unmapped ones, and those that the source does not show. */
export async function countSkippedContent(sql: Queryable, importId: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM import_items
     WHERE import_id = $1 AND kind = 'content' AND state = 'skipped'`,
    [importId],
  );
  return row?.count ?? 0;
}

/** The number of pending items of a kind after a position. */
export async function countPendingItems(
  sql: Queryable,
  importId: string,
  { kind, after }: { kind: ItemKind; after: number },
): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM import_items
     WHERE import_id = $1 AND kind = $2 AND position > $3 AND state = 'pending'`,
    [importId, kind, after],
  );
  return row?.count ?? 0;
}

/** Deletes the index of an import, which is needed only until it has ended. */
export async function deleteItems(sql: Queryable, importId: string): Promise<void> {
  await sql.query('DELETE FROM import_items WHERE import_id = $1', [importId]);
}

/** The menus that items belong to, with their declared names. */
export function selectMenus(sql: Queryable, importId: string): Promise<{ slug: string; label: string }[]> {
  return sql.query(
    `SELECT used.slug, coalesce((
         SELECT m.title FROM import_items m
         WHERE m.import_id = $1 AND m.kind = 'menu' AND m.slug = used.slug ORDER BY m.position LIMIT 1
       ), used.name, used.slug) AS label
     FROM (
       SELECT facts ->> 'menu' AS slug, min(nullif(facts ->> 'menuName', '')) AS name FROM import_items
       WHERE import_id = $1 AND kind = 'menu-item' AND facts ->> 'isDraft' = 'false' AND facts ->> 'menu' IS NOT NULL
       GROUP BY facts ->> 'menu'
     ) AS used ORDER BY used.slug`,
    [importId],
  );
}

/** The items of a menu in their order, at most as many as one menu may have. */
export function selectMenuItems(sql: Queryable, importId: string, menu: string): Promise<StoredItem[]> {
  return sql.query<StoredItem>(
    `SELECT ${itemColumns} FROM import_items
     WHERE import_id = $1 AND kind = 'menu-item' AND facts ->> 'isDraft' = 'false' AND facts ->> 'menu' = $2
     ORDER BY (facts ->> 'order')::integer, position LIMIT 5000`,
    [importId, menu],
  );
}
