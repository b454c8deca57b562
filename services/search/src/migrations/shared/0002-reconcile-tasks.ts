import type { Migration } from '@quire/database';

export const reconcileTasksMigration: Migration = {
  name: '0002-reconcile-tasks',
  up: async (sql) => {
    await sql.query("UPDATE search_tasks SET task = 'reconcile' WHERE task = 'tend'");
  },
};
