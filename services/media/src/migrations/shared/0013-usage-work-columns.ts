import type { Migration } from '@quire/database';

/** Columns of the work tables get the names that all work tables have (libs/work-queue). */
export const usageWorkColumnsMigration: Migration = {
  name: '0013-usage-work-columns',
  up: async (sql) => {
    for (const table of ['usage_work', 'usage_deletions', 'usage_rebuilds']) {
      await sql.query(`ALTER TABLE ${table} RENAME COLUMN attempt_count TO attempts`);
      await sql.query(`ALTER TABLE ${table} RENAME COLUMN next_attempt_at TO due_at`);
    }
    await sql.query('ALTER INDEX usage_work_next_attempt_at RENAME TO usage_work_due_at');
  },
};
