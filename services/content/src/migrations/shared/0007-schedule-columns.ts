import type { Migration } from '@quire/database';

/** Columns get the names that all work tables have (libs/work-queue); the time of publication is `scheduled_at`. */
export const scheduleColumnsMigration: Migration = {
  name: '0007-schedule-columns',
  up: async (sql) => {
    await sql.query('ALTER TABLE schedules RENAME COLUMN due_at TO scheduled_at');
    await sql.query('ALTER TABLE schedules RENAME COLUMN next_attempt_at TO due_at');
    await sql.query('ALTER INDEX schedules_next_attempt_at RENAME TO schedules_due_at');
  },
};
