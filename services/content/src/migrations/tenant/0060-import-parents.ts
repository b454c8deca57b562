import type { Migration } from '@quire/database';

/** The parents that imports have given to entries. */
export const importParentsMigration: Migration = {
  name: '0060-import-parents',
  up: async (sql) => {
    await sql.query('ALTER TABLE import_records ADD COLUMN parent_group text');
  },
};
