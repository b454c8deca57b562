import type { Migration } from '@quire/database';

/** OAuth: applications, what they were granted, and the codes on the way to it. Secrets are stored as SHA-256 alone. */
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

/** Refresh tokens that replace each other. Those of before are found by their whole text, as far as they go. */
export const refreshRotationMigration: Migration = {
  name: '0070-oauth-refresh-rotation',
  up: async (sql) => {
    await sql.query(`
      ALTER TABLE oauth_grants
        ADD COLUMN family_hash text,
        ADD COLUMN previous_hash text,
        ADD COLUMN refreshed_at timestamptz(3),
        ADD COLUMN refresh_salt text NOT NULL DEFAULT gen_random_uuid()`);
    await sql.query('UPDATE oauth_grants SET family_hash = refresh_hash');
    await sql.query('ALTER TABLE oauth_grants ALTER COLUMN family_hash SET NOT NULL');
    await sql.query('DROP INDEX oauth_grants_refresh_hash');
    await sql.query('CREATE UNIQUE INDEX oauth_grants_family_hash ON oauth_grants (family_hash)');
  },
};

/** Which applications registered themselves: of those, the ones nobody ever let in are cleared away. */
export const selfRegistrationMigration: Migration = {
  name: '0050-oauth-self-registration',
  up: async (sql) => {
    await sql.query('ALTER TABLE oauth_clients ADD COLUMN registered_itself boolean NOT NULL DEFAULT false');
    await sql.query(
      'CREATE INDEX oauth_clients_registered_itself ON oauth_clients (created_at) WHERE registered_itself',
    );
  },
};

/**
 * Who vouches for an application: an administrator who made or approved it, or nobody. One that registered itself
 * counts as unused until somebody lets it in. Grant types of before are not known: those it was used with, and the
 * usual ones.
 */
export const clientTrustMigration: Migration = {
  name: '0081-o-oauth-client-trust',
  up: async (sql) => {
    await sql.query(`
      ALTER TABLE oauth_clients
        ADD COLUMN grant_types text[],
        ADD COLUMN approved_at timestamptz(3),
        ADD COLUMN consented_at timestamptz(3)`);
    await sql.query(`
      UPDATE oauth_clients c SET
        grant_types = ARRAY['authorization_code', 'refresh_token'] || CASE
          WHEN EXISTS (SELECT FROM oauth_grants g WHERE g.client_id = c.id AND g.code_hash IS NULL)
          THEN ARRAY['urn:ietf:params:oauth:grant-type:device_code'] ELSE '{}' END,
        consented_at = CASE WHEN EXISTS (SELECT FROM oauth_grants g WHERE g.client_id = c.id)
          OR EXISTS (SELECT FROM oauth_codes o WHERE o.client_id = c.id) THEN created_at END
      WHERE registered_itself`);
    await sql.query('DROP INDEX oauth_clients_registered_itself');
    await sql.query(`
      CREATE INDEX oauth_clients_unused ON oauth_clients (created_at, id)
      WHERE registered_itself AND approved_at IS NULL AND consented_at IS NULL`);
    await sql.query('CREATE INDEX oauth_clients_created_at ON oauth_clients (created_at, id)');
  },
};
