import type { Migration } from '@quire/database';

/** The versions of search documents: the order in which their entries were read. */
export const searchVersionsMigration: Migration = {
  name: '0004-search-versions',
  up: async (sql) => {
    await sql.query('CREATE SEQUENCE search_versions');
  },
};
