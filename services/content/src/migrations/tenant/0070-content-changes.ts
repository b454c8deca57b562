import { identifier, literal, type Migration } from '@quire/database';
import { contentTableName, countChangesOf, randomIncrement, type SharedCounter } from '../../schema/index.js';

/** Tables whose changes count for several collections, by counter. */
const sharedTables: Readonly<Record<SharedCounter, readonly string[]>> = {
  schema: ['collections', 'fields', 'relations', 'block_types', 'block_type_versions'],
  bylines: ['bylines', 'byline_groups'],
  terms: ['taxonomies', 'term_groups', 'terms'],
  links: ['reference_links'],
  'import-errors': ['import_errors'],
};

/** Tables of rows that belong to entries of the collection in their column `collection`. */
const tablesOfEntries = ['revisions', 'entry_bylines', 'entry_terms'];

/** Shares of a counter from which on those of server processes that have ended are added to another. */
const maxShares = 16;

/**
 * Counters of the changes of all that responses about entries show: a response is used again while its counters remain
 * the same. Triggers count each transaction once, whether it comes from an operation, a former version or an operator's
 * own statement.
 */
export const contentChangesMigration: Migration = {
  name: '0070-content-changes',
  up: async (sql) => {
    // A share is updated with each write: its page keeps space for the next version of each row.
    await sql.query(`
      CREATE TABLE change_counters (
        name text NOT NULL,
        shard integer NOT NULL,
        changes bigint NOT NULL,
        CONSTRAINT change_counters_pkey PRIMARY KEY (name, shard)
      ) WITH (fillfactor = 10)`);
    await createFunctions(sql);
    for (const [counter, tables] of Object.entries(sharedTables)) {
      for (const table of tables)
        await createTrigger(sql, { table, event: 'INSERT OR UPDATE OR DELETE OR TRUNCATE', counter });
    }
    for (const table of tablesOfEntries) {
      for (const event of ['INSERT', 'UPDATE', 'DELETE'])
        await sql.query(`
          CREATE TRIGGER count_changes_on_${event.toLowerCase()} AFTER ${event} ON ${table}
          REFERENCING ${event === 'DELETE' ? 'OLD' : 'NEW'} TABLE AS changed_rows
          FOR EACH STATEMENT EXECUTE FUNCTION count_change_of_entries()`);
      await createTrigger(sql, { table, event: 'TRUNCATE', counter: 'schema' });
    }
    const collections = await sql.query<{ slug: string }>('SELECT slug FROM collections ORDER BY slug');
    for (const { slug } of collections) await countChangesOf(sql, contentTableName(slug));
  },
  seed: async (sql) => {
    for (const counter of Object.keys(sharedTables))
      await sql.query(
        `INSERT INTO change_counters (name, shard, changes) VALUES ($1, 0, ${randomIncrement})`,
        [counter],
      );
  },
};

const createTrigger = (
  sql: Parameters<Migration['up']>[0],
  { table, event, counter }: { table: string; event: string; counter: string },
) =>
  sql.query(`
    CREATE TRIGGER count_changes AFTER ${event} ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION count_table_change(${literal(counter)})`);

/** The functions name their schema: a statement of an operator may run with another search path. */
const createFunctions: Migration['up'] = async (sql) => {
  const [current] = await sql.query<{ schema: string }>('SELECT current_schema() AS schema');
  const schema = identifier(current?.schema ?? '');
  const shares = `${schema}.change_counters`;
  // A transaction adds to a counter once: its second statement finds that its own id wrote the share. Only the share
  // of this server process is written, so no other transaction waits for it.
  await sql.query(`
    CREATE FUNCTION count_content_change(counter text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE ${shares} c SET changes = c.changes + ${randomIncrement}
      WHERE c.name = counter AND c.shard = pg_backend_pid() AND c.xmin <> pg_current_xact_id()::xid;
      IF FOUND THEN RETURN; END IF;
      INSERT INTO ${shares} (name, shard, changes) VALUES (counter, pg_backend_pid(), ${randomIncrement})
      ON CONFLICT DO NOTHING;
      IF FOUND THEN PERFORM ${schema}.merge_change_counters(counter); END IF;
    END
    $$`);
  // Adds the shares of server processes that have ended to that of this one. The sum remains the same. A statement that
  // does not read what was committed since its snapshot leaves it to others.
  await sql.query(`
    CREATE FUNCTION merge_change_counters(counter text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF current_setting('transaction_isolation') <> 'read committed'
        OR (SELECT count(*) FROM ${shares} c WHERE c.name = counter) <= ${maxShares} THEN RETURN; END IF;
      PERFORM pg_stat_clear_snapshot();
      WITH ended AS (
        SELECT c.shard FROM ${shares} c
        WHERE c.name = counter AND c.shard <> pg_backend_pid()
          AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.pid = c.shard)
        FOR UPDATE SKIP LOCKED
      ), merged AS (
        DELETE FROM ${shares} c USING ended e WHERE c.name = counter AND c.shard = e.shard RETURNING c.changes
      )
      UPDATE ${shares} c SET changes = c.changes + m.changes FROM (SELECT sum(changes)::bigint AS changes FROM merged) m
      WHERE c.name = counter AND c.shard = pg_backend_pid() AND m.changes IS NOT NULL;
      PERFORM ${schema}.merge_entry_counts(counter);
    END
    $$`);
  await sql.query(`
    CREATE FUNCTION count_table_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM ${schema}.count_content_change(coalesce(TG_ARGV[0], TG_TABLE_NAME));
      RETURN NULL;
    END
    $$`);
  // The name of a collection's table, as contentTableName makes it.
  await sql.query(`
    CREATE FUNCTION count_change_of_entries() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM ${schema}.count_content_change(CASE WHEN octet_length(t.name) <= 63 THEN t.name
        ELSE left(t.name, 50) || '_' || left(encode(sha256(convert_to(t.name, 'UTF8')), 'hex'), 12) END)
      FROM (SELECT DISTINCT 'content_' || collection AS name FROM changed_rows) t;
      RETURN NULL;
    END
    $$`);
};
