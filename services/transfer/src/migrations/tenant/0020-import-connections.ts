import type { Migration } from '@quire/database';

/** Authorization requests of users, and the sites that they connected. */
export const importConnectionsMigration: Migration = {
  name: '0020-import-connections',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE import_authorization_requests (
        state_hash text CONSTRAINT import_authorization_requests_pkey PRIMARY KEY,
        user_id text NOT NULL,
        site_url text NOT NULL,
        redirect_uri text NOT NULL,
        code_verifier text NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await sql.query(
      'CREATE INDEX import_authorization_requests_expires_at ON import_authorization_requests (expires_at)',
    );
    await sql.query(`
      CREATE TABLE import_connections (
        id text CONSTRAINT import_connections_pkey PRIMARY KEY,
        user_id text NOT NULL,
        source text NOT NULL,
        site_id text NOT NULL,
        site_url text NOT NULL,
        sealed_access_token text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query(
      `CREATE UNIQUE INDEX import_connections_user_id_source_site_id
       ON import_connections (user_id, source, site_id)`,
    );
  },
};
