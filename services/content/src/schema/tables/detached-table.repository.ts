import { boundedName, identifier, type Queryable } from '@quire/database';
import { stopCountingEntries } from '../entry-counts/entry-counts.repository.js';

/** Name of the table of a deleted collection. The prefix is not that of orphaned tables. */
export function detachedTableName(collectionId: string): string {
  return `deleted_entries_${collectionId.toLowerCase()}`;
}

/**
 * Takes the table of a deleted collection away from its slug: table and indexes get other names. Its entries belong to
 * `deleted_entries` from now on.
 */
export async function detachContentTable(tx: Queryable, table: string, collectionId: string): Promise<void> {
  await stopCountingEntries(tx, table);
  const detached = detachedTableName(collectionId);
  const name = identifier(detached);
  await tx.query(`ALTER TABLE ${identifier(table)} RENAME TO ${name}`);
  const indexes = await tx.query<{ name: string }>(
    `SELECT indexname AS name FROM pg_indexes WHERE schemaname = current_schema() AND tablename = $1 ORDER BY 1`,
    [detached],
  );
  for (const [position, index] of indexes.entries())
    await tx.query(
      `ALTER INDEX ${identifier(index.name)} RENAME TO ${identifier(boundedName('ix.', `${detached}.${position}`))}`,
    );
  await tx.query(`ALTER TABLE ${name} INHERIT deleted_entries`);
}

export async function dropDetachedTable(tx: Queryable, table: string): Promise<void> {
  await tx.query(`DROP TABLE IF EXISTS ${identifier(table)}`);
}

/** @returns the tables of deleted collections whose deletion is not finished. */
export async function selectDetachedTables(sql: Queryable): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'deleted_entries'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}
