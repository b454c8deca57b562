import type { Migration } from '@quire/database';

/** Creates the table of mailed sign-in links. */
export const magicLinksMigration: Migration = {
  name: '0040-magic-links',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE magic_links (
        token_hash text PRIMARY KEY,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        email text NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await sql.query('CREATE INDEX magic_links_user_id ON magic_links (user_id)');
  },
};
