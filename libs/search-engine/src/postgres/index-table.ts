import type { Queryable, TransactionalDatabase } from '@quire/database';
import { boundedName, identifier } from '@quire/database';
import { chunksOf } from '../analysis/document.js';
import type { IndexDocument, RemovedDocument, SearchIndex, SearchStatus } from '../port/search-index.js';
import { indexesWithTable, tableName, tableOf, type IndexName } from '../tables/index-tables.js';
import { indexRows } from './index-rows.js';

/**
 * Creates the table of an index if it is missing: one row for each view of a document. The row of the first view
 * represents the document: it has its version, and remains without text when the document is removed, so that an older
 * version that arrives later is recognised.
 */
export async function createIndexTable(db: Queryable, index: IndexName): Promise<void> {
  const table = tableOf('index', index);
  const key = (column: string) => indexNameOf(index, column);
  await db.query(`
    CREATE TABLE IF NOT EXISTS ${table} (
      id text NOT NULL,
      view smallint NOT NULL,
      version bigint NOT NULL,
      is_removed boolean NOT NULL,
      statuses text[],
      locale text,
      slug text,
      title text,
      title_key text COLLATE "C",
      texts text[],
      title_terms tsvector,
      terms tsvector,
      folded text[],
      PRIMARY KEY (id, view)
    )`);
  await keepTermsInRow(db, index);
  await db.query(`CREATE INDEX IF NOT EXISTS ${key('terms')} ON ${table} USING gin (terms)`);
  await db.query(`CREATE INDEX IF NOT EXISTS ${key('title_terms')} ON ${table} USING gin (title_terms)`);
  await db.query(`CREATE INDEX IF NOT EXISTS ${key('title_key')} ON ${table} (title_key, id)`);
  await createStatusesIndex(db, index);
}

const indexNameOf = (index: IndexName, column: string) =>
  identifier(boundedName(`${tableName('index', index)}_`, column));

/**
 * Lets PostgreSQL move the texts out of a long row rather than the words: ranks read the words of up to thousands of
 * rows, hits show the texts of a few. Words in the row are read in a quarter of the time.
 */
async function keepTermsInRow(db: Queryable, index: IndexName): Promise<void> {
  await db.query(`ALTER TABLE ${tableOf('index', index)} ALTER COLUMN terms SET STORAGE MAIN`);
}

/** Keeps the words of new rows in the rows of tables of the time before that. */
export async function keepTermsInRows(db: Queryable): Promise<void> {
  for (const index of await indexesWithTable(db, 'index')) await keepTermsInRow(db, index);
}

/** Counts read only this index, not the rows with their texts. */
async function createStatusesIndex(db: Queryable, index: IndexName): Promise<void> {
  await db.query(
    `CREATE INDEX IF NOT EXISTS ${indexNameOf(index, 'statuses')} ON ${tableOf('index', index)} (statuses)
     WHERE NOT is_removed`,
  );
}

/** Adds the index of counts to tables of the time before it. */
export async function addStatusesIndexes(db: Queryable): Promise<void> {
  for (const index of await indexesWithTable(db, 'index')) await createStatusesIndex(db, index);
}

const columns = 'statuses, locale, slug, title, title_key, texts, title_terms, terms, folded';
const columnTypes = `id text, view smallint, version bigint, statuses text[], locale text, slug text,
  title text, title_key text, texts text[], title_terms tsvector, terms tsvector, folded text[]`;
const textColumns = columns.split(', ');

/** A written document, and whether it replaced another version. */
interface Written {
  id: string;
  isReplaced: boolean;
}

const written = 'RETURNING id, xmax <> 0 AS "isReplaced"';

/** Writes documents with all their views, except those with a newer version in the table. */
export async function upsertRows(
  db: TransactionalDatabase,
  index: SearchIndex,
  documents: readonly IndexDocument[],
): Promise<void> {
  for (const chunk of chunksOf(documents)) {
    const rows = chunk.flatMap((document) => indexRows(document, index));
    const further = rows.filter(({ view }) => view > 0);
    await db.transaction(async (tx) => {
      const accepted = await tx.query<Written>(
        insertStatement(index, `WHERE stored.version <= excluded.version ${written}`),
        [JSON.stringify(rows.filter(({ view }) => view === 0))],
      );
      // In separate statements: they see the changes of another writer of a document, which the first row has waited
      // for.
      await deleteViews(tx, index, accepted);
      const ids = new Set(accepted.map(({ id }) => id));
      const added = further.filter(({ id }) => ids.has(id));
      if (added.length > 0) await tx.query(insertStatement(index, ''), [JSON.stringify(added)]);
    });
  }
}

const insertStatement = (index: IndexName, ending: string) =>
  `INSERT INTO ${tableOf('index', index)} AS stored (id, view, version, is_removed, ${columns})
   SELECT id, view, version, false, ${columns}
   FROM json_to_recordset($1::json) AS given (${columnTypes}) ORDER BY id, view
   ON CONFLICT (id, view) DO UPDATE SET version = excluded.version, is_removed = false,
     ${textColumns.map((column) => `${column} = excluded.${column}`).join(', ')}
   ${ending}`;

/** Deletes surplus views of documents that had more before. */
async function deleteViews(tx: Queryable, index: IndexName, accepted: readonly Written[]): Promise<void> {
  const ids = accepted.filter(({ isReplaced }) => isReplaced).map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.query(`DELETE FROM ${tableOf('index', index)} WHERE id = ANY ($1::text[]) AND view > 0`, [ids]);
}

/** Removes documents, except those with a newer version in the table. */
export async function markRowsRemoved(
  db: TransactionalDatabase,
  index: IndexName,
  documents: readonly RemovedDocument[],
): Promise<void> {
  await db.transaction(async (tx) => {
    const accepted = await tx.query<Written>(
      `INSERT INTO ${tableOf('index', index)} AS stored (id, view, version, is_removed)
       SELECT id, 0, version, true FROM unnest($1::text[], $2::bigint[]) AS given (id, version) ORDER BY id
       ON CONFLICT (id, view) DO UPDATE SET version = excluded.version, is_removed = true,
         ${textColumns.map((column) => `${column} = NULL`).join(', ')}
       WHERE stored.version <= excluded.version ${written}`,
      [documents.map(({ id }) => id), documents.map(({ version }) => version)],
    );
    await deleteViews(tx, index, accepted);
  });
}

export async function countRows(db: Queryable, index: IndexName, status: SearchStatus): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*) AS count FROM ${tableOf('index', index)} WHERE NOT is_removed AND $1 = ANY (statuses)`,
    [status],
  );
  return row?.count ?? 0;
}

/** Analyses a table without statistics: without them PostgreSQL may scan the whole table for a search. */
export async function analyseOnce(db: Queryable, index: IndexName): Promise<void> {
  const table = tableOf('index', index);
  const [row] = await db.query<{ isKnown: boolean }>(
    `SELECT reltuples >= 0 AS "isKnown" FROM pg_class WHERE oid = '${table}'::regclass`,
  );
  if (row?.isKnown === false) await db.query(`ANALYZE ${table}`);
}
