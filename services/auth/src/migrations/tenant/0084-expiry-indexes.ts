import type { Migration } from '@quire/database';

/** Adds indexes for the deletion of expired links, which runs with each new one. */
export const expiryIndexesMigration: Migration = {
  name: '0084-expiry-indexes',
  up: async (sql) => {
    for (const table of ['magic_links', 'signups'])
      await sql.query(`CREATE INDEX ${table}_expires_at ON ${table} (expires_at)`);
  },
};
