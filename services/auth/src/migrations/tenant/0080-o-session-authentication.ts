import type { Migration } from '@quire/database';

/** Adds the time of the last authentication of a session, and the table of each user's known browsers. */
export const sessionAuthenticationMigration: Migration = {
  name: '0080-o-session-authentication',
  up: async (sql) => {
    await sql.query('ALTER TABLE sessions ADD COLUMN authenticated_at timestamptz(3)');
    await sql.query('UPDATE sessions SET authenticated_at = created_at');
    await sql.query(
      'ALTER TABLE sessions ALTER COLUMN authenticated_at SET DEFAULT now(), ALTER COLUMN authenticated_at SET NOT NULL',
    );
    await sql.query(`
      CREATE TABLE user_browsers (
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        name text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT user_browsers_pkey PRIMARY KEY (user_id, name)
      )`);
  },
};
