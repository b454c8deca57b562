import { identifier, literal, type Migration } from '@quire/database';

/**
 * Below the limit by so many entries, creations do not wait for each other: fewer transactions than that create an
 * entry of one site at the same time.
 */
const margin = 1_000;
/** SQLSTATE within the function only. */
const isNear = 'QR001';

/** The check of the limit of a site's entries (entries/entry-limit.ts). */
export const entryLimitMigration: Migration = {
  name: '0073-entry-limit',
  up: async (sql) => {
    const [current] = await sql.query<{ schema: string }>('SELECT current_schema() AS schema');
    const schema = current?.schema ?? '';
    const count = `SELECT coalesce(sum(entries), 0) INTO used FROM ${identifier(schema)}.entry_counts`;
    const lock = `hashtextextended(${literal(`${schema}:entry-limit`)}, 0)`;
    // The transaction that adds an entry also writes its counted share. So the one with the exclusive lock sees all
    // entries that others have added under the lock. The block of a failed check releases the shared lock: two
    // transactions that keep it could not get the exclusive one.
    await sql.query(`
      CREATE FUNCTION entries_over_limit(max_entries bigint, added bigint) RETURNS bigint LANGUAGE plpgsql AS $$
      DECLARE used bigint;
      BEGIN
        IF added = 1 THEN
          BEGIN
            PERFORM pg_advisory_xact_lock_shared(${lock});
            ${count};
            IF used + ${margin} <= max_entries THEN RETURN NULL; END IF;
            RAISE EXCEPTION USING ERRCODE = '${isNear}';
          EXCEPTION WHEN SQLSTATE '${isNear}' THEN NULL;
          END;
        END IF;
        PERFORM pg_advisory_xact_lock(${lock});
        ${count};
        IF used + added <= max_entries THEN RETURN NULL; END IF;
        RETURN used;
      END
      $$`);
  },
};
