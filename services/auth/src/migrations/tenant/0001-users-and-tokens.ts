import type { Migration } from '@quire/database';

/** Creates the tables of users and personal access tokens. */
export const usersAndTokensMigration: Migration = {
  name: '0001-users-and-tokens',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE users (
        id text PRIMARY KEY,
        email text NOT NULL,
        name text,
        avatar_url text,
        role integer NOT NULL,
        email_verified boolean NOT NULL DEFAULT false,
        disabled boolean NOT NULL DEFAULT false,
        welcomed boolean NOT NULL DEFAULT false,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        last_login timestamptz(3)
      )`);
    await sql.query('CREATE UNIQUE INDEX users_email ON users (email)');
    await sql.query(`
      CREATE TABLE api_tokens (
        id text PRIMARY KEY,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        name text NOT NULL,
        prefix text NOT NULL,
        token_hash text NOT NULL,
        scopes text[] NOT NULL,
        expires_at timestamptz(3),
        last_used_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query('CREATE UNIQUE INDEX api_tokens_token_hash ON api_tokens (token_hash)');
    await sql.query('CREATE INDEX api_tokens_user_id ON api_tokens (user_id)');
  },
};
