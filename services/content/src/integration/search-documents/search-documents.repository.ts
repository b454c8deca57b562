import type { FieldDefinition } from '@quire/content-model';
import { identifier, Parameters, type Queryable } from '@quire/database';
import { sharedSchema } from '@quire/tenancy';
import type { EntryValues } from '../../entries/index.js';
import { contentTableName, selectCountedTables, storedCount, type EntryStatus } from '../../schema/index.js';

/** The requested entries: listed ones, or a page of all in the order of their ids. */
export type EntrySelection = { ids: readonly string[] } | { after: string | null; limit: number };

/** An entry: system columns, the requested fields under their slugs, and the staged values. */
export interface SearchRow {
  id: string;
  slug: string | null;
  _status: EntryStatus;
  _isScheduled: boolean;
  _draft: EntryValues | null;
  _locale: string;
  [fieldSlug: string]: unknown;
}

/** The next number, greater than all before it. */
export async function nextSearchVersion(sql: Queryable): Promise<number> {
  const sequence = `${identifier(sharedSchema('content'))}.search_versions`;
  const [row] = await sql.query<{ version: number }>(`SELECT nextval('${sequence}') AS version`);
  if (!row) throw new Error('Sequence returned no value');
  return row.version;
}

/** The entries of a page, and the ids of those beyond `maxPageBytes`. */
export interface SearchRows {
  rows: SearchRow[];
  left: string[];
}

const staged = 'LEFT JOIN revisions d ON d.id = e.draft_revision_id';

/** Stored, compressed size of the rows of a page; a page has at least one row. */
const maxPageBytes = 4 * 1024 * 1024;

/** @returns entries that are not in the trash, by id, with the columns of these fields, up to `maxPageBytes`. */
export async function selectSearchRows(
  sql: Queryable,
  collection: string,
  fields: readonly FieldDefinition[],
  selection: EntrySelection,
): Promise<SearchRows> {
  const params = new Parameters();
  const table = identifier(contentTableName(collection));
  const slugs = [...new Set(fields.map(({ slug }) => identifier(slug)))];
  const sizes = slugs.map((slug) => `coalesce(pg_column_size(e.${slug}), 0)`);
  const conditions = ['e.deleted_at IS NULL'];
  let end = '';
  if ('ids' in selection) conditions.push(`e.id = ANY (${params.add(selection.ids, 'text[]')})`);
  else {
    if (selection.after !== null) conditions.push(`e.id > ${params.add(selection.after, 'text')}`);
    end = `LIMIT ${params.add(selection.limit)}`;
  }
  const entries = await sql.query<SearchRow & { _isRead: boolean }>(
    `WITH next AS (
       SELECT e.id, ${['coalesce(pg_column_size(d.data), 0)', ...sizes].join(' + ')} AS bytes
       FROM ${table} e ${staged} WHERE ${conditions.join(' AND ')} ORDER BY e.id ${end}
     ), page AS (
       SELECT id, row_number() OVER (ORDER BY id) = 1
         OR sum(bytes) OVER (ORDER BY id) <= ${params.add(maxPageBytes, 'bigint')} AS is_read
       FROM next
     )
     SELECT p.id, p.is_read AS "_isRead", e.status AS _status, e.scheduled_at IS NOT NULL AS "_isScheduled",
       d.data AS _draft,
       ${['e.slug', 'e._locale', ...slugs.map((slug) => `e.${slug}`)].join(', ')}
     FROM page p LEFT JOIN ${table} e ON e.id = p.id AND p.is_read ${staged} ORDER BY p.id`,
    params.values,
  );
  return {
    rows: entries.filter(({ _isRead }) => _isRead),
    left: entries.filter(({ _isRead }) => !_isRead).map(({ id }) => id),
  };
}

/** Counts the entries that are not in the trash, and the published ones among them. */
export async function countSearchRows(
  sql: Queryable,
  collection: string,
): Promise<{ all: number; published: number }> {
  const table = contentTableName(collection);
  const [counted] = await selectCountedTables(sql, [table]);
  const [row] = await sql.query<{ all: number; published: number }>(
    counted === undefined
      ? `SELECT count(*) AS all, count(*) FILTER (WHERE status = 'published') AS published
         FROM ${identifier(table)} WHERE deleted_at IS NULL`
      : `SELECT ${storedCount(table)} AS all, ${storedCount(table, ["n.status = 'published'"])} AS published`,
  );
  return row ?? { all: 0, published: 0 };
}
