import type { Migration } from '@quire/database';

/**
 * Adds the approval of applications by administrators. A dynamically registered application is unused until a user
 * authorises it. Its earlier grant types are not stored: it gets the default ones, and those of its grants.
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
