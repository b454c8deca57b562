import { identifier, type Migration } from '@quire/database';
import { contentTableName, countEntriesOf } from '../../schema/index.js';

/**
 * Counts of the entries of each collection by locale and status, which lists and the dashboard show without reading the
 * entries. Triggers maintain them, whether a change comes from an operation, a former version or an operator's own
 * statement.
 */
export const entryCountsMigration: Migration = {
  name: '0069-entry-counts',
  up: async (sql) => {
    // A share is updated with each write: its page keeps space for the next version of each row.
    await sql.query(`
      CREATE TABLE entry_counts (
        name text NOT NULL,
        locale text NOT NULL,
        status text NOT NULL,
        shard integer NOT NULL,
        entries bigint NOT NULL,
        CONSTRAINT entry_counts_pkey PRIMARY KEY (name, locale, status, shard)
      ) WITH (fillfactor = 10)`);
    await createFunctions(sql);
    const collections = await sql.query<{ slug: string }>('SELECT slug FROM collections ORDER BY slug');
    for (const { slug } of collections) await countEntriesOf(sql, contentTableName(slug));
  },
};

/** The functions name their schema: a statement of an operator may run with another search path. */
const createFunctions: Migration['up'] = async (sql) => {
  const [current] = await sql.query<{ schema: string }>('SELECT current_schema() AS schema');
  const schema = identifier(current?.schema ?? '');
  const shares = `${schema}.entry_counts`;
  const add = (counted: string) => `
    INSERT INTO ${shares} AS t (name, locale, status, shard, entries) ${counted}
    ON CONFLICT (name, locale, status, shard) DO UPDATE SET entries = t.entries + excluded.entries;`;
  const ofStatement = (sign: '' | '-') =>
    add(`SELECT TG_TABLE_NAME, _locale, status, pg_backend_pid(), ${sign}count(*) FROM changed_rows
      WHERE deleted_at IS NULL GROUP BY _locale, status`);
  const ofRow = (row: 'OLD' | 'NEW', count: 1 | -1) =>
    `IF ${row}.deleted_at IS NULL THEN
      ${add(`VALUES (TG_TABLE_NAME, ${row}._locale, ${row}.status, pg_backend_pid(), ${count})`)}
    END IF;`;
  await sql.query(`
    CREATE FUNCTION count_entries() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      CASE TG_OP
      WHEN 'INSERT' THEN ${ofStatement('')}
      WHEN 'DELETE' THEN ${ofStatement('-')}
      WHEN 'UPDATE' THEN ${ofRow('OLD', -1)} ${ofRow('NEW', 1)}
      ELSE DELETE FROM ${shares} t WHERE t.name = TG_TABLE_NAME;
      END CASE;
      RETURN NULL;
    END
    $$`);
  // Adds the shares of server processes that have ended to that of this one. The sums remain the same.
  await sql.query(`
    CREATE FUNCTION merge_entry_counts(counted_table text) RETURNS void LANGUAGE sql AS $$
      WITH ended AS (
        SELECT c.locale, c.status, c.shard FROM ${shares} c
        WHERE c.name = counted_table AND c.shard <> pg_backend_pid()
          AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.pid = c.shard)
        FOR UPDATE SKIP LOCKED
      ), merged AS (
        DELETE FROM ${shares} c USING ended e
        WHERE c.name = counted_table AND (c.locale, c.status, c.shard) = (e.locale, e.status, e.shard)
        RETURNING c.locale, c.status, c.entries
      )
      INSERT INTO ${shares} AS t (name, locale, status, shard, entries)
      SELECT counted_table, locale, status, pg_backend_pid(), sum(entries)::bigint FROM merged GROUP BY locale, status
      ON CONFLICT (name, locale, status, shard) DO UPDATE SET entries = t.entries + excluded.entries
    $$`);
};
