import type { Migration } from '@quire/database';

/** The secret with which the first user comes. */
export const setupLinkMigration: Migration = {
  name: '0082-i-setup-link',
  up: async (sql) => {
    await sql.query('ALTER TABLE setup_state ADD COLUMN link_hash text');
  },
};
