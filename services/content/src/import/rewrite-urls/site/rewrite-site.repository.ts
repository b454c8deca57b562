import { identifier, type Queryable } from '@quire/database';

/** Tables outside of entries whose column has rich text. */
export const contentTables = ['sections', 'widgets'] as const;
type ContentTable = (typeof contentTables)[number];

/** A rich text with the text that is stored. */
export interface StoredContent {
  id: string;
  text: string;
}

/** A rich text to write in place of the stored one. */
export interface ContentChange extends StoredContent {
  content: string;
}

const pageSize = 100;

/** @returns the next rows with a rich text, in the order of their ids. */
export function selectContents(sql: Queryable, table: ContentTable, after: string): Promise<StoredContent[]> {
  return sql.query<StoredContent>(
    `SELECT id, content::text AS text FROM ${identifier(table)}
     WHERE id > $1 AND content IS NOT NULL ORDER BY id LIMIT ${pageSize}`,
    [after],
  );
}

/** Writes rich texts where the stored text is still the one that was read. @returns the ids of the written rows. */
export async function updateContents(
  sql: Queryable,
  table: ContentTable,
  changes: readonly ContentChange[],
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `UPDATE ${identifier(table)} t SET content = n.content
     FROM unnest($1::text[], $2::text[], $3::json[]) AS n (id, former, content)
     WHERE t.id = n.id AND t.content::text = n.former RETURNING t.id`,
    [changes.map(({ id }) => id), changes.map(({ text }) => text), changes.map(({ content }) => content)],
  );
  return rows.map(({ id }) => id);
}

/** @returns the next items of menus with a URL of their own, in the order of their ids. */
export function selectMenuUrls(sql: Queryable, after: string): Promise<{ id: string; url: string }[]> {
  return sql.query(
    `SELECT id, custom_url AS url FROM menu_items
     WHERE id > $1 AND custom_url IS NOT NULL ORDER BY id LIMIT ${10 * pageSize}`,
    [after],
  );
}

/** Writes URLs of items where the stored one is still the one that was read. @returns the number of written items. */
export async function updateMenuUrls(
  sql: Queryable,
  changes: readonly { id: string; url: string; to: string }[],
): Promise<number> {
  const rows = await sql.query(
    `UPDATE menu_items i SET custom_url = n.target FROM unnest($1::text[], $2::text[], $3::text[]) AS n (id, former, target)
     WHERE i.id = n.id AND i.custom_url = n.former RETURNING i.id`,
    [changes.map(({ id }) => id), changes.map(({ url }) => url), changes.map(({ to }) => to)],
  );
  return rows.length;
}
