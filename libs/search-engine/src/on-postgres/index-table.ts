import type { Sql } from '@quire/database';
import { boundedName, identifier } from '@quire/database';
import { chunksOf } from '../analysis/document.js';
import type { IndexDocument, RemovedDocument, SearchIndex } from '../port/search-index.js';
import { tableName, tableOf, type IndexName } from '../tables/index-tables.js';
import { indexRow } from './index-rows.js';

/**
 * Makes the table of an index unless it is there: a row a document. What was removed leaves a row without text, so that an older
 * version that arrives later is known to be older.
 */
export async function createIndexTable(db: Sql, index: IndexName): Promise<void> {
  const table = tableOf('index', index);
  const key = (column: string) => identifier(boundedName(`${tableName('index', index)}_`, column));
  await db.query(`
    CREATE TABLE IF NOT EXISTS ${table} (
      id text PRIMARY KEY,
      version bigint NOT NULL,
      is_removed boolean NOT NULL,
      locale text,
      slug text,
      title text,
      title_key text COLLATE "C",
      texts text[],
      title_terms tsvector,
      terms tsvector,
      folded text[]
    )`);
  await db.query(`CREATE INDEX IF NOT EXISTS ${key('terms')} ON ${table} USING gin (terms)`);
  await db.query(`CREATE INDEX IF NOT EXISTS ${key('title_terms')} ON ${table} USING gin (title_terms)`);
  await db.query(`CREATE INDEX IF NOT EXISTS ${key('title_key')} ON ${table} (title_key, id)`);
}

const columns = 'locale, slug, title, title_key, texts, title_terms, terms, folded';
const columnTypes = `id text, version bigint, locale text, slug text, title text, title_key text, texts text[],
  title_terms tsvector, terms tsvector, folded text[]`;
const held = columns.split(', ');

/** Writes documents, each unless a newer version was written before. */
export async function putRows(
  db: Sql,
  index: SearchIndex,
  documents: readonly IndexDocument[],
): Promise<void> {
  for (const chunk of chunksOf(documents)) {
    const rows = chunk.map((document) => indexRow(document, index));
    await db.query(
      `INSERT INTO ${tableOf('index', index)} AS held (id, version, is_removed, ${columns})
       SELECT id, version, false, ${columns} FROM json_to_recordset($1::json) AS given (${columnTypes}) ORDER BY id
       ON CONFLICT (id) DO UPDATE SET version = excluded.version, is_removed = false,
         ${held.map((column) => `${column} = excluded.${column}`).join(', ')}
       WHERE held.version <= excluded.version`,
      [JSON.stringify(rows)],
    );
  }
}

/** Removes documents, each unless a newer version was written before. */
export async function removeRows(
  db: Sql,
  index: IndexName,
  documents: readonly RemovedDocument[],
): Promise<void> {
  await db.query(
    `INSERT INTO ${tableOf('index', index)} AS held (id, version, is_removed)
     SELECT id, version, true FROM unnest($1::text[], $2::bigint[]) AS given (id, version) ORDER BY id
     ON CONFLICT (id) DO UPDATE SET version = excluded.version, is_removed = true,
       ${held.map((column) => `${column} = NULL`).join(', ')}
     WHERE held.version <= excluded.version`,
    [documents.map(({ id }) => id), documents.map(({ version }) => version)],
  );
}

export async function countRows(db: Sql, index: IndexName): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*) AS count FROM ${tableOf('index', index)} WHERE NOT is_removed`,
  );
  return row?.count ?? 0;
}

/** Tells PostgreSQL what is in a table that it has never looked at: until then it may read the whole of it for a search. */
export async function analyseOnce(db: Sql, index: IndexName): Promise<void> {
  const table = tableOf('index', index);
  const [row] = await db.query<{ isKnown: boolean }>(
    `SELECT reltuples >= 0 AS "isKnown" FROM pg_class WHERE oid = '${table}'::regclass`,
  );
  if (row?.isKnown === false) await db.query(`ANALYZE ${table}`);
}
