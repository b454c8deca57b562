import { identifier, literal, type Queryable } from '@quire/database';

/**
 * SQL of the number of entries of a collection's table that meet conditions on the columns `locale` and `status` of
 * counts `n`, without those in the trash.
 */
export function storedCount(table: string, conditions: readonly string[] = []): string {
  const where = [`n.name = ${literal(table)}`, ...conditions].join(' AND ');
  return `(SELECT coalesce(sum(n.entries), 0)::bigint FROM entry_counts n WHERE ${where})`;
}

/** The number of entries of all collections of a site, without those in the trash. It reads no entry. */
export async function countEntries(sql: Queryable): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    'SELECT coalesce(sum(entries), 0)::bigint AS count FROM entry_counts',
  );
  return row?.count ?? 0;
}

const triggers = ['count_inserted_entries', 'count_deleted_entries', 'count_moved_entry', 'count_no_entries'];

/**
 * Counts the entries of a collection's table, and the changes from now on. Writers of the table wait until the
 * transaction ends.
 */
export async function countEntriesOf(sql: Queryable, table: string): Promise<void> {
  const name = identifier(table);
  const create = (trigger: string, rule: string) =>
    sql.query(`CREATE OR REPLACE TRIGGER ${trigger} AFTER ${rule} EXECUTE FUNCTION count_entries()`);
  await create(
    'count_inserted_entries',
    `INSERT ON ${name} REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT`,
  );
  await create(
    'count_deleted_entries',
    `DELETE ON ${name} REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT`,
  );
  // Most updates change none of these columns, and run no function.
  await create(
    'count_moved_entry',
    `UPDATE ON ${name} FOR EACH ROW WHEN ((OLD.status, OLD._locale, OLD.deleted_at IS NULL)
       IS DISTINCT FROM (NEW.status, NEW._locale, NEW.deleted_at IS NULL))`,
  );
  await create('count_no_entries', `TRUNCATE ON ${name} FOR EACH STATEMENT`);
  await deleteEntryCounts(sql, table);
  await sql.query(
    `INSERT INTO entry_counts (name, locale, status, shard, entries)
     SELECT $1, _locale, status, 0, count(*) FROM ${name} WHERE deleted_at IS NULL GROUP BY _locale, status`,
    [table],
  );
}

/** Stops counting the entries of a table. */
export async function stopCountingEntries(sql: Queryable, table: string): Promise<void> {
  for (const trigger of triggers)
    await sql.query(`DROP TRIGGER IF EXISTS ${trigger} ON ${identifier(table)}`);
  await deleteEntryCounts(sql, table);
}

const deleteEntryCounts = (sql: Queryable, table: string) =>
  sql.query('DELETE FROM entry_counts WHERE name = $1', [table]);
