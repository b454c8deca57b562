import type { Migration } from '@quire/database';

/** The state of media usage activation: one row per site (document 1, Media usage activation). */
export const activationMigration: Migration = {
  name: '0030-usage-activation',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE usage_activation (
        singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
        format integer NOT NULL DEFAULT 1,
        state text NOT NULL DEFAULT 'expanded' CHECK (state IN ('expanded', 'activating', 'active')),
        collection_cursor text,
        attempt_count integer NOT NULL DEFAULT 0,
        drain_confirmed_at timestamptz(3),
        last_attempted_at timestamptz(3),
        last_error_code text,
        lease_token text,
        lease_expires_at timestamptz(3),
        activated_at timestamptz(3),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
  },
  seed: (sql) => sql.query('INSERT INTO usage_activation DEFAULT VALUES'),
};
