import type { Migration } from '@quire/database';

/** Why writes of a site are refused for the time being: the error code that they get. */
export const readOnlyModeMigration: Migration = {
  name: '0051-write-fences',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE write_fences (
        code text PRIMARY KEY,
        raised_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
  },
};
