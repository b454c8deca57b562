import type { Migration } from '@quire/database';

/** Numbers of the files of an import: counting the rows of millions of files for each upload takes too long. */
export const importFileCountsMigration: Migration = {
  name: '0035-import-file-counts',
  up: async (sql) => {
    await sql.query(`
      ALTER TABLE transfer_operations
        ADD COLUMN declared_files integer NOT NULL DEFAULT 0,
        ADD COLUMN stored_files integer NOT NULL DEFAULT 0`);
  },
};
