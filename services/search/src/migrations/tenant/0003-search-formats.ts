import type { Migration } from '@quire/database';
import { addViewsToTables } from '@quire/search-engine';

/**
 * Formats of indexes: those before this one hold published text only, and the next reconciliation rebuilds
 * them.
 */
export const formatsMigration: Migration = {
  name: '0003-search-formats',
  up: async (sql) => {
    await sql.query('ALTER TABLE search_generations ADD COLUMN format smallint NOT NULL DEFAULT 1');
    await addViewsToTables(sql);
  },
};
