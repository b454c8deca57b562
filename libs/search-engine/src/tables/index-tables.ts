import {
  hasSqlState,
  identifier,
  likeStarting,
  sqlState,
  type Queryable,
  type Transaction,
  type TransactionalDatabase,
} from '@quire/database';
import { QuireError } from '@quire/errors';
import { SearchEngineUnavailable, SearchIndexMissing } from '../port/search-engine-errors.js';
import type { SearchIndex } from '../port/search-index.js';

export type IndexName = Pick<SearchIndex, 'collectionId' | 'generation'>;
/** `index`: the documents themselves. `ledger`: the version of each that was last put into another engine. */
export type TableKind = 'index' | 'ledger';

const prefixOf = (kind: TableKind) => `search_${kind}_`;
const collectionPrefix = (kind: TableKind, collectionId: string) => `${prefixOf(kind)}${collectionId}_`;

export function tableName(kind: TableKind, { collectionId, generation }: IndexName): string {
  return `${collectionPrefix(kind, collectionId)}${generation}`;
}

/** The name, quoted for a statement. */
export const tableOf = (kind: TableKind, index: IndexName) => identifier(tableName(kind, index));

/**
 * The indexes of a tenant that have a table of this kind, of one collection or of all. The tables are found by their
 * names, in an index: the catalog has the tables of all sites.
 */
export async function indexesWithTable(
  db: Queryable,
  kind: TableKind,
  collectionId?: string,
): Promise<IndexName[]> {
  const prefix = collectionId === undefined ? prefixOf(kind) : collectionPrefix(kind, collectionId);
  const rows = await db.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class
     WHERE relname LIKE $1 AND relnamespace = quote_ident(current_schema())::regnamespace AND relkind = 'r' ORDER BY 1`,
    [likeStarting(prefix)],
  );
  return rows.flatMap(({ name }) => indexNameOf(kind, name) ?? []);
}

/** The index of a table; undefined for a name of another form. */
function indexNameOf(kind: TableKind, table: string): IndexName | undefined {
  const [, id, generation] = /^(.+)_(\d+)$/.exec(table.slice(prefixOf(kind).length)) ?? [];
  return id === undefined ? undefined : { collectionId: id, generation: Number(generation) };
}

/** A table of an index, with a text that differs after each change of its rows and each replacement of its storage. */
export interface TableState extends IndexName {
  schema: string;
  state: string;
}

/**
 * The states of the tables of all sites of a database, from counters that PostgreSQL keeps in memory. It updates them
 * some seconds after a change, and begins at 0 after a crash.
 */
export async function selectTableStates(db: Queryable, kind: TableKind): Promise<TableState[]> {
  const rows = await db.query<{ schema: string; name: string; state: string }>(
    `SELECT nspname::text AS schema, relname::text AS name,
       concat_ws('/', relfilenode, pg_stat_get_tuples_inserted(c.oid), pg_stat_get_tuples_updated(c.oid),
         pg_stat_get_tuples_deleted(c.oid)) AS state
     FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
     WHERE relname LIKE $1 AND relkind = 'r' ORDER BY 1, 2`,
    [likeStarting(prefixOf(kind))],
  );
  return rows.flatMap(({ schema, name, state }) => {
    const index = indexNameOf(kind, name);
    return index ? [{ ...index, schema, state }] : [];
  });
}

/** Creates a table under a lock: of two concurrent CREATE TABLE IF NOT EXISTS statements PostgreSQL rejects one. */
export async function createTableOnce(
  db: TransactionalDatabase,
  name: string,
  make: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await mapDatabaseErrors(() =>
    db.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`make:${name}`]);
      await make(tx);
    }),
  );
}

export const dropTable = (db: Queryable, kind: TableKind, index: IndexName) =>
  db.query(`DROP TABLE IF EXISTS ${tableOf(kind, index)}`);

/** The indexes without a table. */
async function withoutTable(
  db: Queryable,
  kind: TableKind,
  indexes: readonly IndexName[],
): Promise<IndexName[]> {
  const rows = await db.query<{ place: number }>(
    `SELECT place::integer - 1 AS place FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, place)
     WHERE to_regclass(quote_ident(name)) IS NULL ORDER BY place`,
    [indexes.map((index) => tableName(kind, index))],
  );
  return rows.flatMap(({ place }) => indexes[place] ?? []);
}

export const hasTable = async (db: Queryable, kind: TableKind, index: IndexName): Promise<boolean> =>
  (await withoutTable(db, kind, [index])).length === 0;

/**
 * Runs statements on the tables of these indexes.
 * @throws SearchIndexMissing when one of the tables is missing, SearchEngineUnavailable when the database is
 *   unreachable or too slow
 */
export async function onTables<Result>(
  db: Queryable,
  kind: TableKind,
  indexes: readonly IndexName[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (hasSqlState(error, sqlState.undefinedTable)) {
      const [missing] = await mapDatabaseErrors(() => withoutTable(db, kind, indexes));
      if (missing) throw new SearchIndexMissing(missing.collectionId, missing.generation);
    }
    throw toEngineError(error);
  }
}

/** Runs statements that do not require an index. @throws SearchEngineUnavailable */
export async function mapDatabaseErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toEngineError(error);
  }
}

function toEngineError(error: unknown): unknown {
  if (error instanceof SearchEngineUnavailable) return error;
  const isAway = error instanceof QuireError && error.code === 'SERVICE_UNAVAILABLE';
  return isAway ? new SearchEngineUnavailable(error) : error;
}
