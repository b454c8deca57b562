import type { Migration } from '@quire/database';

/** Pending work of the worker, across tenants, so that one statement of a runner sees every site of a database. */
export const tasksMigration: Migration = {
  name: '0001-search-tasks',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE search_tasks (
        tenant_id text NOT NULL,
        collection_id text NOT NULL,
        task text NOT NULL,
        entry_id text NOT NULL DEFAULT '',
        due_at timestamptz(3) NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        CONSTRAINT search_tasks_pkey PRIMARY KEY (tenant_id, collection_id, task, entry_id)
      )`);
    await sql.query('CREATE INDEX search_tasks_due_at ON search_tasks (due_at)');
  },
};
