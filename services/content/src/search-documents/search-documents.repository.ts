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

/** Published entries that are not in the trash, by id, with the columns of these fields. */
export async function selectPublished(
  sql: Sql,
  collection: string,
  fields: readonly FieldDefinition[],
  selection: EntrySelection,
): Promise<PublishedRow[]> {
  const place = new Parameters();
  const columns = ['id', 'slug', '_locale', ...new Set(fields.map(({ slug }) => identifier(slug)))];
  const conditions = [isPublished];
  let end = '';
  if ('ids' in selection) conditions.push(`id = ANY (${place.add(selection.ids, 'text[]')})`);
  else {
    if (selection.after !== null) conditions.push(`id > ${place.add(selection.after, 'text')}`);
    end = `LIMIT ${place.add(selection.limit)}`;
  }
  return sql.query<PublishedRow>(
    `SELECT ${columns.join(', ')} FROM ${identifier(contentTableName(collection))}
     WHERE ${conditions.join(' AND ')} ORDER BY id ${end}`,
    place.values,
  );
}

/** How many entries are published and not in the trash. */
export async function countPublished(sql: Sql, collection: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `SELECT count(*) AS count FROM ${identifier(contentTableName(collection))} WHERE ${isPublished}`,
  );
  return row?.count ?? 0;
}
