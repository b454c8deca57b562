import type { Migration } from '@quire/database';

/** The token of the latest lease of a site transfer. */
export const fencingTokensMigration: Migration = {
  name: '0040-fencing-tokens',
  up: async (sql) => {
    await sql.query('ALTER TABLE transfer_steps ADD COLUMN fencing_token bigint NOT NULL DEFAULT 0');
  },
};
