import type { FieldDefinition } from '@quire/content-model';
import { identifier, Parameters, type Sql } from '@quire/database';
import { sharedSchema } from '@quire/tenancy';
import { contentTableName } from '../schema/index.js';

const isPublished = "status = 'published' AND deleted_at IS NULL";

/** Which published entries are asked for: these, or a page of all in the order of their ids. */
export type EntrySelection = { ids: readonly string[] } | { after: string | null; limit: number };

/** A published entry: system columns, and the asked fields under their slugs. */
export interface PublishedRow {
  id: string;
  slug: string | null;
  _locale: string;
  [fieldSlug: string]: unknown;
}

/** The next number, greater than all before it. */
export async function nextSearchVersion(sql: Sql): Promise<number> {
  const sequence = `${identifier(sharedSchema('content'))}.search_versions`;
  const [row] = await sql.query<{ version: number }>(`SELECT nextval('${sequence}') AS version`);
  if (!row) throw new Error('A sequence gave no number');
  return row.version;
}

/** Published entries that were read, and the ids of those that would have been too much at once. */
export interface PublishedRows {
  rows: PublishedRow[];
  left: string[];
}

/** As the rows are stored, compressed: so much is read at once, and one row always. */
const maximumBytes = 4 * 1024 * 1024;

/** Published entries that are not in the trash, by id, with the columns of these fields: as many as are not too much at once. */
export async function selectPublished(
  sql: Sql,
  collection: string,
  fields: readonly FieldDefinition[],
  selection: EntrySelection,
): Promise<PublishedRows> {
  const place = new Parameters();
  const table = identifier(contentTableName(collection));
  const slugs = [...new Set(fields.map(({ slug }) => identifier(slug)))];
  const sizes = slugs.map((slug) => `coalesce(pg_column_size(${slug}), 0)`);
  const conditions = [isPublished];
  let end = '';
  if ('ids' in selection) conditions.push(`id = ANY (${place.add(selection.ids, 'text[]')})`);
  else {
    if (selection.after !== null) conditions.push(`id > ${place.add(selection.after, 'text')}`);
    end = `LIMIT ${place.add(selection.limit)}`;
  }
  const found = await sql.query<PublishedRow & { _isRead: boolean }>(
    `WITH next AS (
       SELECT id, ${['0', ...sizes].join(' + ')} AS bytes FROM ${table} WHERE ${conditions.join(' AND ')} ORDER BY id ${end}
     ), page AS (
       SELECT id, row_number() OVER (ORDER BY id) = 1
         OR sum(bytes) OVER (ORDER BY id) <= ${place.add(maximumBytes, 'bigint')} AS is_read
       FROM next
     )
     SELECT p.id, p.is_read AS "_isRead", ${['e.slug', 'e._locale', ...slugs.map((slug) => `e.${slug}`)].join(', ')}
     FROM page p LEFT JOIN ${table} e ON e.id = p.id AND p.is_read ORDER BY p.id`,
    place.values,
  );
  return {
    rows: found.filter(({ _isRead }) => _isRead),
    left: found.filter(({ _isRead }) => !_isRead).map(({ id }) => id),
  };
}

/** How many entries are published and not in the trash. */
export async function countPublished(sql: Sql, collection: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `SELECT count(*) AS count FROM ${identifier(contentTableName(collection))} WHERE ${isPublished}`,
  );
  return row?.count ?? 0;
}
