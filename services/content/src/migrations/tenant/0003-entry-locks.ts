import type { Migration } from '@quire/database';

/** Leases on entries (contract 8): one row per entry, valid until `expires_at`, taken over in place. */
export const entryLocksMigration: Migration = {
  name: '0003-entry-locks',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE entry_locks (
        entry_id text PRIMARY KEY,
        user_id text NOT NULL,
        user_name text,
        token text,
        acquired_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
  },
};
