import type { Migration } from '@quire/database';

/** Creates the table of invitations. */
export const invitesMigration: Migration = {
  name: '0041-invites',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE invites (
        email text PRIMARY KEY,
        token_hash text NOT NULL,
        user_id text NOT NULL,
        role integer NOT NULL,
        mailed boolean NOT NULL,
        invited_by text,
        expires_at timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query('CREATE UNIQUE INDEX invites_token_hash ON invites (token_hash)');
  },
};
