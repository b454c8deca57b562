import type { Migration } from '@quire/database';

/** The time of the last complete sweep of the schedules of a database: one row. */
export const schedulerHeartbeatMigration: Migration = {
  name: '0005-scheduler-heartbeat',
  up: async (sql) => {
    await sql.query('CREATE TABLE scheduler_heartbeat (completed_at timestamptz(3))');
    await sql.query('INSERT INTO scheduler_heartbeat (completed_at) VALUES (NULL)');
  },
};
