import type { Migration } from '@quire/database';

/** Creates the table of sessions. In PostgreSQL they survive a restart and the loss of Redis. */
export const sessionsMigration: Migration = {
  name: '0002-sessions',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE sessions (
        id text PRIMARY KEY,
        token_hash text NOT NULL,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        user_agent text,
        client_address text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL
      )`);
    await sql.query('CREATE UNIQUE INDEX sessions_token_hash ON sessions (token_hash)');
    await sql.query('CREATE INDEX sessions_user_id ON sessions (user_id)');
  },
};
