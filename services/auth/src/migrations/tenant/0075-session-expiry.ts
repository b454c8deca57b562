import type { Migration } from '@quire/database';

/** Those that are over are looked for whenever one is opened. */
export const sessionExpiryMigration: Migration = {
  name: '0075-session-expiry',
  up: async (sql) => {
    await sql.query('CREATE INDEX sessions_expires_at ON sessions (expires_at)');
  },
};
