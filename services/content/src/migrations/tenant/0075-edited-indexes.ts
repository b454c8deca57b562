import type { Migration } from '@quire/database';
import { contentTableName, ensureListIndexes } from '../../schema/index.js';

/** The indexes of entries by their last edit, and of published ones with a draft, in the tables that exist. */
export const editedIndexesMigration: Migration = {
  name: '0075-edited-indexes',
  up: async (sql) => {
    const collections = await sql.query<{ slug: string }>('SELECT slug FROM collections ORDER BY slug');
    for (const { slug } of collections) await ensureListIndexes(sql, contentTableName(slug));
  },
};
