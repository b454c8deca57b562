import type { Migration } from '@quire/database';

/** Creates the table of signup links. */
export const signupsMigration: Migration = {
  name: '0042-signups',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE signups (
        token_hash text PRIMARY KEY,
        email text NOT NULL,
        user_id text NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
  },
};
