import { identifier, insertRows, type Queryable, type RowInput } from '@quire/database';
import { Comment } from '../../comments/index.js';
import { contentTableName } from '../../schema/index.js';

/** A stored comment, as far as replies depend on it. */
export interface StoredComment {
  id: string;
  parentId: string | null;
  contentId: string;
}

/** @returns the comments of these ids. */
export async function selectStoredComments(
  sql: Queryable,
  ids: readonly string[],
): Promise<Map<string, StoredComment>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.query<StoredComment>(
    'SELECT id, parent_id AS "parentId", content_id AS "contentId" FROM comments WHERE id = ANY($1) FOR SHARE',
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Keeps the collections from being deleted until the transaction ends. @returns those of the slugs that exist. */
export async function lockCollections(tx: Queryable, slugs: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ slug: string }>(
    'SELECT slug FROM collections WHERE slug = ANY($1) ORDER BY slug FOR KEY SHARE',
    [slugs],
  );
  return rows.map(({ slug }) => slug);
}

/** @returns those of the ids that are entries of a collection, trashed ones included. */
export async function selectExistingEntries(
  sql: Queryable,
  collection: string,
  ids: readonly string[],
): Promise<string[]> {
  const table = identifier(contentTableName(collection));
  const rows = await sql.query<{ id: string }>(`SELECT id FROM ${table} WHERE id = ANY($1)`, [ids]);
  return rows.map(({ id }) => id);
}

/** @returns the time of the transaction, which is also that of the records it writes. */
export async function selectNow(tx: Queryable): Promise<string> {
  const [row] = await tx.query<{ now: string }>('SELECT now()::timestamptz(3) AS now');
  if (!row) throw new Error('SELECT returned no row');
  return row.now;
}

/** Creates comments with one statement: a root may come after its replies. */
export async function insertComments(sql: Queryable, rows: readonly RowInput<Comment>[]): Promise<void> {
  await insertRows(sql, Comment, rows);
}
