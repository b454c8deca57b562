import type { Migration } from '@quire/database';

/** Creates the tables of OAuth clients, grants and codes. Of secrets only the SHA-256 is stored. */
export const oauthMigration: Migration = {
  name: '0030-oauth',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE oauth_clients (
        id text PRIMARY KEY,
        name text NOT NULL,
        redirect_uris text[] NOT NULL,
        scopes text[],
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query(`
      CREATE TABLE oauth_codes (
        code_hash text PRIMARY KEY,
        client_id text NOT NULL REFERENCES oauth_clients (id) ON DELETE CASCADE,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        redirect_uri text NOT NULL,
        challenge text NOT NULL,
        scopes text[] NOT NULL,
        resource text,
        expires_at timestamptz(3) NOT NULL
      )`);
    await sql.query('CREATE INDEX oauth_codes_client_id ON oauth_codes (client_id)');
    await sql.query('CREATE INDEX oauth_codes_user_id ON oauth_codes (user_id)');
    await sql.query('CREATE INDEX oauth_codes_expires_at ON oauth_codes (expires_at)');
    await sql.query(`
      CREATE TABLE oauth_grants (
        id text PRIMARY KEY,
        client_id text REFERENCES oauth_clients (id) ON DELETE CASCADE,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        scopes text[] NOT NULL,
        code_hash text,
        refresh_hash text NOT NULL,
        refresh_expires_at timestamptz(3) NOT NULL,
        access_hash text,
        access_scopes text[] NOT NULL,
        access_expires_at timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query('CREATE INDEX oauth_grants_client_id ON oauth_grants (client_id)');
    await sql.query('CREATE INDEX oauth_grants_user_id ON oauth_grants (user_id)');
    await sql.query('CREATE UNIQUE INDEX oauth_grants_code_hash ON oauth_grants (code_hash)');
    await sql.query('CREATE UNIQUE INDEX oauth_grants_refresh_hash ON oauth_grants (refresh_hash)');
    await sql.query('CREATE INDEX oauth_grants_refresh_expires_at ON oauth_grants (refresh_expires_at)');
    await sql.query('CREATE UNIQUE INDEX oauth_grants_access_hash ON oauth_grants (access_hash)');
    await sql.query(`
      CREATE TABLE oauth_device_codes (
        device_hash text PRIMARY KEY,
        user_code text NOT NULL,
        client_id text REFERENCES oauth_clients (id) ON DELETE CASCADE,
        user_id text REFERENCES users (id) ON DELETE CASCADE,
        scopes text[] NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        interval_seconds integer NOT NULL,
        last_polled_at timestamptz(3),
        expires_at timestamptz(3) NOT NULL
      )`);
    await sql.query('CREATE UNIQUE INDEX oauth_device_codes_user_code ON oauth_device_codes (user_code)');
    await sql.query('CREATE INDEX oauth_device_codes_client_id ON oauth_device_codes (client_id)');
    await sql.query('CREATE INDEX oauth_device_codes_user_id ON oauth_device_codes (user_id)');
    await sql.query('CREATE INDEX oauth_device_codes_expires_at ON oauth_device_codes (expires_at)');
  },
};
