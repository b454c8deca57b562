import { identifier, type Migration } from '@quire/database';
import { contentTableName, dropReplacedIndexes, ensureListIndexes } from '../../schema/index.js';

/**
 * The indexes of lists, in the tables of the collections that exist; a table without a collection gets them with one.
 * Nothing else counts the rows of a locale in a table that does not change.
 */
export const listIndexesMigration: Migration = {
  name: '0061-list-indexes',
  up: async (sql) => {
    const collections = await sql.query<{ slug: string }>('SELECT slug FROM collections ORDER BY slug');
    const tables = collections.map(({ slug }) => contentTableName(slug));
    for (const table of tables) {
      await ensureListIndexes(sql, table);
      await sql.query(`ANALYZE ${identifier(table)}`);
    }
    // Last of all: from here on readers wait.
    for (const table of tables) await dropReplacedIndexes(sql, table);
  },
};
