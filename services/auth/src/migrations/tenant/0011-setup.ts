import type { Migration } from '@quire/database';

/** Creates the tables of the setup: its progress in one row, and the attempts of browsers. */
export const setupMigration: Migration = {
  name: '0011-setup',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE setup_state (
        id integer PRIMARY KEY,
        site_saved_at timestamptz(3),
        completed_at timestamptz(3)
      )`);
    await sql.query(`
      CREATE TABLE setup_attempts (
        nonce_hash text PRIMARY KEY,
        user_id text NOT NULL,
        email text NOT NULL,
        name text,
        expires_at timestamptz(3) NOT NULL
      )`);
  },
  seed: (sql) => sql.query('INSERT INTO setup_state (id) VALUES (1)'),
};
