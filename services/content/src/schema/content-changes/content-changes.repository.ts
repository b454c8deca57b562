import { identifier, literal, type Queryable } from '@quire/database';
import { countEntriesOf } from '../entry-counts/entry-counts.repository.js';

/**
 * Counters of tables that the entries of several collections show. `schema` also counts what changes everything: a
 * table that is emptied as a whole.
 */
export type SharedCounter = 'schema' | 'bylines' | 'terms' | 'links' | 'import-errors';

/**
 * SQL of what one transaction adds to a counter. A random number, so that a restored database does not reach the
 * counts of the states that it has lost.
 */
export const randomIncrement = '1 + floor(random() * 1048576)::bigint';

/** SQL of the sum of all shares of a counter; null for a table that is not counted. */
const sumOf = (name: string) => `(SELECT sum(changes) FROM change_counters WHERE name = ${name})`;

/**
 * SQL of the version of everything that these counters count: a text that is equal in two snapshots only if nothing has
 * changed in between. Null where one of the tables is not counted.
 * @param names tables of collections, and shared counters
 */
export function contentVersion(names: readonly string[]): string {
  return `(${names.map((name) => sumOf(literal(name))).join(' + ')})::text`;
}

/** @returns `contentVersion` as it is now. */
export async function selectContentVersion(sql: Queryable, names: readonly string[]): Promise<string | null> {
  const sums = names.map((_, index) => sumOf(`$${index + 1}`));
  const [row] = await sql.query<{ version: string | null }>({
    prepared: true,
    text: `SELECT (${sums.join(' + ')})::text AS version`,
    values: names,
  });
  return row?.version ?? null;
}

/** SQL of whether the changes and entries of a table are counted. @param name SQL of the name of the table */
export const isCountedTable = (name: string) => `
  (SELECT count(*) = 2 FROM pg_trigger t
   WHERE t.tgrelid = to_regclass(quote_ident(${name})) AND t.tgname IN ('count_changes', 'count_inserted_entries'))`;

/** Of these tables those whose changes and entries are counted. A former version creates tables without counting. */
export async function selectCountedTables(sql: Queryable, tables: readonly string[]): Promise<string[]> {
  const counted = await sql.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS named (name) WHERE ${isCountedTable('name')}`,
    [tables],
  );
  return counted.map(({ name }) => name);
}

/** Counts the changes and the entries of a collection's table from now on. */
export async function startCounting(sql: Queryable, table: string): Promise<void> {
  await countChangesOf(sql, table);
  await countEntriesOf(sql, table);
}

/**
 * Counts the changes of a collection's table from now on. The count of a new table differs from that of a former table
 * of the name.
 */
export async function countChangesOf(sql: Queryable, table: string): Promise<void> {
  await sql.query(
    `CREATE OR REPLACE TRIGGER count_changes AFTER INSERT OR UPDATE OR DELETE ON ${identifier(table)}
     FOR EACH STATEMENT EXECUTE FUNCTION count_table_change()`,
  );
  await sql.query(
    `CREATE OR REPLACE TRIGGER count_truncation AFTER TRUNCATE ON ${identifier(table)}
     FOR EACH STATEMENT EXECUTE FUNCTION count_table_change('schema')`,
  );
  await sql.query(
    `INSERT INTO change_counters AS t (name, shard, changes) VALUES ($1, 0, ${randomIncrement})
     ON CONFLICT (name, shard) DO UPDATE SET changes = t.changes + excluded.changes`,
    [table],
  );
}
