import type { Migration } from '@quire/database';

/** Numbers what is read for searching, see operations/get-search-documents.ts. */
export const searchVersionsMigration: Migration = {
  name: '0004-search-versions',
  up: async (sql) => {
    await sql.query('CREATE SEQUENCE search_versions');
  },
};
