import type { Queryable, Transaction } from '../connection/sql.js';
import { identifier } from '../statements/identifiers.js';
import type { SchemaDefinition, TableDefinition } from './schema-definition.js';

/** The next value of a sequence is the last one, or follows it if that was given out. */
export interface SequenceValue {
  name: string;
  lastValue: string;
  isCalled: boolean;
}

const placeOf = ({ name, columns }: TableDefinition) =>
  `${identifier(name)} (${columns.map(identifier).join(', ')})`;

/** The rows of a table in PostgreSQL's text format, in pieces of any length. */
export const readRows = (tx: Transaction, table: TableDefinition): AsyncIterable<Buffer> =>
  tx.copyTo(`COPY ${placeOf(table)} TO STDOUT`);

/** Adds rows in the same format. */
export const writeRows = (
  tx: Transaction,
  table: TableDefinition,
  rows: AsyncIterable<Buffer>,
): Promise<void> => tx.copyFrom(`COPY ${placeOf(table)} FROM STDIN`, rows);

/** The values of sequences. They are present ones, which no snapshot has: never less than those of the rows. */
export async function readSequences(sql: Queryable, names: readonly string[]): Promise<SequenceValue[]> {
  if (names.length === 0) return [];
  const selects = names.map(
    (name, index) => `SELECT $${index + 1}::text AS name, last_value::text AS "lastValue",
      is_called AS "isCalled" FROM ${identifier(name)}`,
  );
  return sql.query<SequenceValue>(selects.join(' UNION ALL '), names);
}

export async function writeSequences(sql: Queryable, values: readonly SequenceValue[]): Promise<void> {
  for (const { name, lastValue, isCalled } of values)
    await sql.query('SELECT setval($1::regclass, $2, $3)', [identifier(name), lastValue, isCalled]);
}

/** Copies the rows and the values of sequences of a schema to one with the same tables, which are empty. */
export async function copyRows(
  source: Transaction,
  target: Transaction,
  { tables, sequences }: Pick<SchemaDefinition, 'tables' | 'sequences'>,
): Promise<void> {
  for (const table of tables) await writeRows(target, table, readRows(source, table));
  await writeSequences(target, await readSequences(source, sequences));
}
