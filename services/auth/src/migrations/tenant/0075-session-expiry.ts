import type { Migration } from '@quire/database';

/** Adds an index for the deletion of expired sessions, which runs with each new session. */
export const sessionExpiryMigration: Migration = {
  name: '0075-session-expiry',
  up: async (sql) => {
    await sql.query('CREATE INDEX sessions_expires_at ON sessions (expires_at)');
  },
};
