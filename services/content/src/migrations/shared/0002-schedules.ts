import type { Migration } from '@quire/database';

/** Due times of entries, across tenants, so that one statement of the sweep sees every site of a database. */
export const schedulesMigration: Migration = {
  name: '0002-schedules',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE schedules (
        tenant_id text NOT NULL,
        entry_id text NOT NULL,
        collection text NOT NULL,
        due_at timestamptz(3) NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz(3) NOT NULL,
        CONSTRAINT schedules_pkey PRIMARY KEY (tenant_id, entry_id)
      )`);
    await sql.query('CREATE INDEX schedules_next_attempt_at ON schedules (next_attempt_at)');
  },
};
