import type { Migration } from '@quire/database';

/** The difference that the last check of an index found. */
export const differencesMigration: Migration = {
  name: '0002-search-differences',
  up: async (sql) => {
    await sql.query('ALTER TABLE search_collections ADD COLUMN difference text');
  },
};
