import type { Migration } from '@quire/database';

/** Adds rotation of refresh tokens. Earlier tokens are found by the hash of their whole text until they expire. */
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
