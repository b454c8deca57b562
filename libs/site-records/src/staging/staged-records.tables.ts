import type { Migration } from '@quire/database';

/**
 * Copies of records. The table is unlogged: a crash of the database empties it, and the export begins again. Records
 * are stored without compression, which would cost more time than it saves space.
 */
export const stagedRecordsMigration: Migration = {
  name: '0070-staged-records',
  up: async (sql) => {
    await sql.query(`
      CREATE UNLOGGED TABLE staged_records (
        operation_id text NOT NULL,
        kind text NOT NULL,
        position bigint NOT NULL,
        record text NOT NULL,
        CONSTRAINT staged_records_pkey PRIMARY KEY (operation_id, kind, position)
      )`);
    await sql.query('ALTER TABLE staged_records ALTER COLUMN record SET STORAGE EXTERNAL');
  },
};
