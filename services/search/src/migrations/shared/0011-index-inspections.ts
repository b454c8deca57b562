import type { Migration } from '@quire/database';

/**
 * The state of each index at the last inspection, and the time of the next one. Claims read the tasks of one kind: many
 * entries to index delay no claim of an index to reconcile.
 */
export const indexInspectionsMigration: Migration = {
  name: '0011-index-inspections',
  up: async (sql) => {
    await sql.query('ALTER TABLE search_tasks ADD COLUMN index_state text');
    await sql.query('CREATE INDEX search_tasks_task_due_at ON search_tasks (task, due_at)');
    await sql.query('DROP INDEX search_tasks_due_at');
    await sql.query(`
      CREATE TABLE index_inspections (
        subject text PRIMARY KEY,
        due_at timestamptz(3) NOT NULL,
        attempts integer NOT NULL DEFAULT 0
      )`);
    await sql.query("INSERT INTO index_inspections (subject, due_at) VALUES ('indexes', now())");
  },
};
