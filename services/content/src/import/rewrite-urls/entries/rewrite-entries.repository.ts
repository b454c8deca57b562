import { columnType, type FieldDefinition } from '@quire/content-model';
import { identifier, Parameters, type Queryable, type Transaction } from '@quire/database';
import { JsonText, stringifyJson } from '@quire/values';
import { revisionMembers, type CollectionDefinition } from '../../../schema/index.js';

/** The values of a revision as the texts of its members, which keep the precision of numbers. */
export interface StoredRevision {
  id: string;
  texts: Record<string, string>;
}

/** An entry with the columns that are rewritten, under their slugs. */
export interface EntryPageRow {
  id: string;
  version: number;
  /** The draft and the live revision. */
  _revisions: StoredRevision[] | null;
  [fieldSlug: string]: unknown;
}

/** The new values of an entry. */
export interface RewrittenEntry {
  id: string;
  /** The version that the values were read with. */
  version: number;
  /** Changed columns by slug. */
  columns: Record<string, unknown>;
  revisions: StoredRevision[];
}

/** The next page of a collection, or entries of the last one. */
export type PageOf = { after: string } | { ids: readonly string[] };

/** Entries of a page; it has fewer of large ones, and at least one. */
const pageSize = 200;
/** Stored, compressed size of the rows of a page. */
const maxPageBytes = 4 * 1024 * 1024;

/** @returns entries outside the trash in the order of their ids. */
export function selectPage(
  sql: Queryable,
  { table, statementKey }: CollectionDefinition,
  fields: readonly FieldDefinition[],
  page: PageOf,
): Promise<EntryPageRow[]> {
  const params = new Parameters();
  const columns = fields.map(({ slug }) => `e.${identifier(slug)}`);
  const revisionsOf = `FROM revisions r WHERE r.id IN (e.draft_revision_id, e.live_revision_id)`;
  const sizes = [
    ...columns.map((column) => `coalesce(pg_column_size(${column}), 0)`),
    `coalesce((SELECT sum(pg_column_size(r.data)) ${revisionsOf}), 0)`,
  ];
  const condition =
    'ids' in page
      ? `e.id = ANY(${params.add(page.ids, 'text[]')})`
      : `e.id > ${params.add(page.after, 'text')}`;
  return sql.query<EntryPageRow>({
    prepared: true,
    text: `/* ${statementKey} */
      WITH next AS (
        SELECT e.id, ${sizes.join(' + ')} AS bytes FROM ${identifier(table)} e
        WHERE ${condition} AND e.deleted_at IS NULL ORDER BY e.id LIMIT ${pageSize}
      ), page AS (
        SELECT id, sum(bytes) OVER (ORDER BY id) AS bytes, row_number() OVER (ORDER BY id) AS place FROM next
      )
      SELECT e.id, e.version, ${[...columns, ''].join(', ')} (
        SELECT json_agg(json_build_object('id', r.id, 'texts', (
          SELECT coalesce(json_object_agg(m.key, m.value::text), '{}'::json) FROM ${revisionMembers('r')} m)))
        ${revisionsOf}) AS _revisions
      FROM page p JOIN ${identifier(table)} e ON e.id = p.id
      ${'ids' in page ? '' : `WHERE p.place = 1 OR p.bytes <= ${params.add(maxPageBytes, 'bigint')}`} ORDER BY e.id`,
    values: params.values,
  });
}

/**
 * Writes the new values of entries that still have the version which they were read with, and gives these the next
 * version. Their import records follow, so that the change does not count as an edit; the time of their last change
 * stays that of the source.
 * @returns the ids of the written entries.
 */
export async function updateEntries(
  tx: Transaction,
  definition: CollectionDefinition,
  fields: readonly FieldDefinition[],
  { entries, userId }: { entries: readonly RewrittenEntry[]; userId: string | null },
): Promise<string[]> {
  const { id, version, statementKey } = definition;
  const table = identifier(definition.table);
  // In the order in which other writers lock the entries of a group.
  await tx.query(`SELECT 1 FROM ${table} WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE`, [
    entries.map((entry) => entry.id),
  ]);
  const columns = fields.map(({ slug, type }) => `${identifier(slug)} ${columnType(type)}`);
  const assignments = fields.map(({ slug }) => {
    const column = identifier(slug);
    return `${column} = coalesce(n.${column}, e.${column})`;
  });
  const rows = await tx.query<{ id: string }>({
    prepared: true,
    text: `/* ${statementKey} */
      WITH changed AS (
        UPDATE ${table} e
        SET ${[...assignments, ''].join(', ')} version = e.version + 1, _edited_by = $4::text, _edited_at = now()
        FROM json_to_recordset($1) AS n (${['_id text', '_version integer', ...columns].join(', ')})
        WHERE e.id = n._id AND e.version = n._version AND e.deleted_at IS NULL
          AND EXISTS (SELECT 1 FROM collections c WHERE c.id = $5 AND c.version = $6)
        RETURNING e.id, e.version
      ), revised AS (
        UPDATE revisions r SET data = n.data
        FROM json_to_recordset($2) AS n (id text, data json)
        WHERE r.id = n.id AND r.entry_id IN (SELECT id FROM changed)
      ), followed AS (
        UPDATE import_records r SET target_version = c.version FROM changed c
        WHERE r.target_id = c.id AND r.kind = 'entry' AND r.collection = $3 AND r.target_version = c.version - 1
      )
      SELECT id FROM changed`,
    values: [
      stringifyJson(entries.map((entry) => ({ ...entry.columns, _id: entry.id, _version: entry.version }))),
      stringifyJson(entries.flatMap(({ revisions }) => revisions.map(toRevisionRow))),
      definition.slug,
      userId,
      id,
      version,
    ],
  });
  return rows.map((row) => row.id);
}

function toRevisionRow({ id, texts }: StoredRevision) {
  const members = Object.entries(texts).map(([key, text]) => `${JSON.stringify(key)}:${text}`);
  return { id, data: new JsonText(`{${members.join(',')}}`) };
}
