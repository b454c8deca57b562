import type { Migration } from '@quire/database';

/** Sites with deletions that a worker finishes. */
export const deletionWorkMigration: Migration = {
  name: '0063-deletion-work',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE deletion_work (
        tenant_id text CONSTRAINT deletion_work_pkey PRIMARY KEY,
        due_at timestamptz(3) NOT NULL,
        attempts integer NOT NULL DEFAULT 0
      )`);
    await sql.query('CREATE INDEX deletion_work_due_at ON deletion_work (due_at)');
  },
};
