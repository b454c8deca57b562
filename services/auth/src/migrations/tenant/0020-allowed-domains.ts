import type { Migration } from '@quire/database';

/** Creates the table of domains whose users may sign up. */
export const allowedDomainsMigration: Migration = {
  name: '0020-allowed-domains',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE allowed_domains (
        domain text PRIMARY KEY,
        default_role integer NOT NULL,
        enabled boolean NOT NULL DEFAULT true,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
  },
};
