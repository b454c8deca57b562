import type { Migration } from '@quire/database';

/** Sessions live in PostgreSQL: they survive a restart and a lost Redis. */
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

/** Those that are over are looked for whenever one is opened. */
export const sessionExpiryMigration: Migration = {
  name: '0075-session-expiry',
  up: async (sql) => {
    await sql.query('CREATE INDEX sessions_expires_at ON sessions (expires_at)');
  },
};

/** When a session's user signed in or used a passkey last, and the browsers that each user has signed in with. */
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
