import type { Migration } from '@quire/database';

/** Creates the table of the users of an edge access proxy, with the assertion of their sign-in. */
export const edgeAccessMigration: Migration = {
  name: '0051-edge-sign-ins',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE edge_sign_ins (
        user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        assertion_hash text NOT NULL,
        issued_at timestamptz(3) NOT NULL
      )`);
  },
};
