import type { Migration } from '@quire/database';

/** Failures of imported entries: beside the entries, so that a collection has no column for them. */
export const importErrorsMigration: Migration = {
  name: '0059-import-errors',
  up: async (sql) => {
    await sql.query('CREATE TABLE import_errors (entry_id text PRIMARY KEY, error json NOT NULL)');
  },
};
