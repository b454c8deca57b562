import { columnType, type FieldDefinition } from '@quire/content-model';
import { identifier, Parameters, type Queryable, type Statement } from '@quire/database';
import { stringifyJson } from '@quire/values';
import type { Credit } from '../../bylines/credits/index.js';
import { gracePeriodSeconds, isUnchanged, schedulesTable, type EntryValues } from '../../entries/index.js';
import type { CollectionDefinition } from '../../schema/index.js';

/** A row of a collection's table. Instants are ISO texts; without one the row has the present time, or none. */
export interface NewEntryRow {
  id: string;
  slug: string;
  locale: string;
  group: string;
  status: 'published' | 'draft' | 'scheduled';
  isTrashed: boolean;
  authorId: string | null;
  primaryBylineId: string | null;
  createdAt: string | null;
  updatedAt: string | null;
  publishedAt: string | null;
  scheduledAt: string | null;
  /** Id of the live revision of a published entry, where the collection has revisions. */
  liveRevisionId: string | null;
  /** Without nulls. */
  values: EntryValues;
}

const rowColumns = `_id text, _slug text, _locale text, _group text, _status text, _is_trashed boolean,
  _author_id text, _byline_id text, _created_at timestamptz, _updated_at timestamptz, _published_at timestamptz,
  _scheduled_at timestamptz, _revision_id text, _values json`;

const systemColumns = `id, slug, _locale, _translation_group, status, deleted_at, author_id, primary_byline_id,
  created_at, updated_at, published_at, scheduled_at, live_revision_id`;

const systemValues = `_id, _slug, _locale, _group, _status, CASE WHEN _is_trashed THEN now() END, _author_id,
  _byline_id, coalesce(_created_at, now()), coalesce(_updated_at, _created_at, now()), _published_at, _scheduled_at,
  _revision_id`;

/**
 * Inserts entries of one collection and the live revisions of published ones, with one statement. It has one text for
 * each collection version, so that PostgreSQL plans it once.
 * @returns the number of inserted entries: none if the collection has changed since its definition was read
 */
export async function insertEntryRows(
  tx: Queryable,
  definition: CollectionDefinition,
  rows: readonly NewEntryRow[],
): Promise<number> {
  const [inserted] = await tx.query<{ count: number }>(entryInsertion(definition, rows));
  return inserted?.count ?? 0;
}

function entryInsertion(definition: CollectionDefinition, rows: readonly NewEntryRow[]): Statement {
  const parameters = new Parameters();
  const json = parameters.add(stringifyJson(rows.map(toJsonRow)), 'json');
  const fields = definition.columns;
  const columns = fields.map(({ slug }) => identifier(slug));
  const record = fields.map(({ slug, type }) => `${identifier(slug)} ${recordType(type)}`);
  const join =
    fields.length > 0 ? `CROSS JOIN LATERAL json_to_record(n._values) AS v (${record.join(', ')})` : '';
  return {
    prepared: true,
    text: `
      WITH n AS MATERIALIZED (SELECT * FROM json_to_recordset(${json}) AS n (${rowColumns})),
      inserted AS (
        INSERT INTO ${identifier(definition.table)} (${[systemColumns, ...columns].join(', ')})
        SELECT ${[systemValues, ...fields.map(columnExpression)].join(', ')} FROM n ${join}
        WHERE ${isUnchanged(definition, parameters)} RETURNING id
      ), live AS (
        INSERT INTO revisions (id, collection, entry_id, data)
        SELECT _revision_id, ${parameters.add(definition.slug, 'text')}, _id, _values FROM n
        WHERE _revision_id IS NOT NULL AND EXISTS (SELECT FROM inserted)
      ) SELECT /* ${definition.statementKey} */ count(*) AS count FROM inserted`,
    values: parameters.values,
  };
}

const toJsonRow = (row: NewEntryRow) => ({
  _id: row.id,
  _slug: row.slug,
  _locale: row.locale,
  _group: row.group,
  _status: row.status,
  _is_trashed: row.isTrashed,
  _author_id: row.authorId,
  _byline_id: row.primaryBylineId,
  _created_at: row.createdAt,
  _updated_at: row.updatedAt,
  _published_at: row.publishedAt,
  _scheduled_at: row.scheduledAt,
  _revision_id: row.liveRevisionId,
  _values: row.values,
});

/** PostgreSQL reads no smallint from true and false. */
function recordType(type: FieldDefinition['type']): string {
  const column = columnType(type);
  return column === 'smallint' ? 'boolean' : column;
}

function columnExpression({ slug, type }: FieldDefinition): string {
  const value = `v.${identifier(slug)}`;
  if (columnType(type) === 'smallint') return `${value}::integer::smallint`;
  return type === 'blocks' ? `coalesce(${value}, '[]')` : value;
}

/** Inserts the credits of entries without any, with one statement. */
export async function insertCredits(
  tx: Queryable,
  entries: readonly { id: string; collection: string; credits: readonly Credit[] }[],
): Promise<void> {
  const rows = entries.flatMap(({ id, collection, credits }) =>
    credits.map(({ group }, position) => ({ id, collection, group, position })),
  );
  if (rows.length === 0) return;
  await tx.query({
    prepared: true,
    text: `INSERT INTO entry_bylines (entry_id, collection, byline_group, sort_order)
      SELECT id, collection, "group", position
      FROM json_to_recordset($1) AS n (id text, collection text, "group" text, position integer)`,
    values: [JSON.stringify(rows)],
  });
}

/** Adds terms to the groups of entries, with one statement. A term that is being deleted is left out. */
export async function insertTerms(
  tx: Queryable,
  entries: readonly { group: string; collection: string; termGroups: readonly string[] }[],
): Promise<void> {
  const rows = entries.flatMap(({ group, collection, termGroups }) =>
    termGroups.map((term) => ({ group, collection, term })),
  );
  if (rows.length === 0) return;
  await tx.query({
    prepared: true,
    text: `
      WITH n AS (
        SELECT * FROM json_to_recordset($1) AS n ("group" text, collection text, term text)
      ), locked AS (
        SELECT id FROM term_groups WHERE id IN (SELECT term FROM n) ORDER BY id FOR KEY SHARE
      )
      INSERT INTO entry_terms (entry_group, term_group, collection)
      SELECT n."group", locked.id, n.collection FROM n JOIN locked ON locked.id = n.term
      ON CONFLICT (entry_group, term_group) DO NOTHING`,
    values: [JSON.stringify(rows)],
  });
}

/** Schedules the publication of entries, with one statement. */
export async function insertSchedules(
  tx: Queryable,
  tenantId: string,
  entries: readonly { id: string; collection: string; scheduledAt: string }[],
): Promise<void> {
  if (entries.length === 0) return;
  await tx.query(
    `INSERT INTO ${schedulesTable} (tenant_id, entry_id, collection, scheduled_at, due_at)
     SELECT $1, id, collection, at, at + make_interval(secs => ${gracePeriodSeconds})
     FROM json_to_recordset($2) AS n (id text, collection text, at timestamptz)`,
    [tenantId, JSON.stringify(entries.map(({ scheduledAt, ...entry }) => ({ ...entry, at: scheduledAt })))],
  );
}
