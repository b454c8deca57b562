import type { Migration } from '@quire/database';

/** Adds the hash of the setup link's secret. */
export const setupLinkMigration: Migration = {
  name: '0082-i-setup-link',
  up: async (sql) => {
    await sql.query('ALTER TABLE setup_state ADD COLUMN link_hash text');
  },
};
