import type { Migration } from '@quire/database';

const rowsOf = (table: string, sign: number) =>
  `SELECT media_id, collection_id, ${sign} AS sign FROM ${table} WHERE counts`;
const newRows = rowsOf('new_rows', 1);
const oldRows = rowsOf('old_rows', -1);

/** The transition tables of statements that change sources, and their counted rows: former ones have the sign -1. */
const statements = {
  INSERT: { tables: 'NEW TABLE AS new_rows', rows: newRows },
  UPDATE: { tables: 'OLD TABLE AS old_rows NEW TABLE AS new_rows', rows: `${oldRows} UNION ALL ${newRows}` },
  DELETE: { tables: 'OLD TABLE AS old_rows', rows: oldRows },
};

/**
 * Replaces the counts of changed items and collections by their sums with the difference. A count that a concurrent
 * transaction has locked stays beside the new one, and the next statement adds both: no statement waits for another.
 */
const addDifferences = (rows: string) => `
  WITH differences AS (
    SELECT media_id, collection_id, sum(sign) AS entries FROM (${rows}) r
    GROUP BY media_id, collection_id HAVING sum(sign) <> 0
  ), unlocked AS MATERIALIZED (
    SELECT c.id FROM media_usage_counts c JOIN differences d USING (media_id, collection_id)
    FOR UPDATE OF c SKIP LOCKED
  ), replaced AS (
    DELETE FROM media_usage_counts WHERE id IN (SELECT id FROM unlocked) RETURNING media_id, collection_id, entries
  )
  INSERT INTO media_usage_counts (media_id, collection_id, entries)
  SELECT media_id, collection_id, sum(entries) FROM (
    SELECT media_id, collection_id, entries FROM differences
    UNION ALL SELECT media_id, collection_id, entries FROM replaced
  ) c GROUP BY media_id, collection_id HAVING sum(entries) <> 0;`;

/**
 * Counts of the entries that use each item, in place of counting: triggers maintain them with each statement that
 * changes sources, also with those of a former version.
 */
export const usageCountersMigration: Migration = {
  name: '0070-usage-counters',
  up: async (sql) => {
    await sql.query('LOCK TABLE media_usage_sources IN SHARE ROW EXCLUSIVE MODE');
    await sql.query(`
      CREATE TABLE media_usage_counts (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT media_usage_counts_pkey PRIMARY KEY,
        media_id text NOT NULL,
        collection_id text NOT NULL,
        entries bigint NOT NULL
      )`);
    await sql.query(`
      INSERT INTO media_usage_counts (media_id, collection_id, entries)
      SELECT media_id, collection_id, count(*) FROM media_usage_sources WHERE counts GROUP BY media_id, collection_id`);
    await sql.query('CREATE INDEX media_usage_counts_item ON media_usage_counts (media_id, collection_id)');
    for (const [statement, { tables, rows }] of Object.entries(statements)) {
      const name = `count_media_usage_on_${statement.toLowerCase()}`;
      await sql.query(`
        CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
        BEGIN
          ${addDifferences(rows)}
          RETURN NULL;
        END
        $$`);
      await sql.query(`
        CREATE TRIGGER ${name} AFTER ${statement} ON media_usage_sources REFERENCING ${tables}
        FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`);
    }
    await sql.query(`
      CREATE FUNCTION count_media_usage_on_truncate() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      BEGIN
        TRUNCATE media_usage_counts;
        RETURN NULL;
      END
      $$`);
    await sql.query(`
      CREATE TRIGGER count_media_usage_on_truncate AFTER TRUNCATE ON media_usage_sources
      FOR EACH STATEMENT EXECUTE FUNCTION count_media_usage_on_truncate()`);
    await sql.query('DROP INDEX media_usage_sources_counted');
  },
};
