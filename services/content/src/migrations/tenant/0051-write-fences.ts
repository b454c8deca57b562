import type { Migration } from '@quire/database';

/** The error codes with which writes of a site are rejected at present. */
export const writeFencesMigration: Migration = {
  name: '0051-write-fences',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE write_fences (
        code text PRIMARY KEY,
        raised_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
  },
};
