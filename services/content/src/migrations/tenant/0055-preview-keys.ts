import type { Migration } from '@quire/database';

/** The generation of a site's preview key: one row, random, so that a new site of the same id gets another key. */
export const previewKeysMigration: Migration = {
  name: '0055-preview-keys',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE preview_keys (
        generation text NOT NULL,
        rotated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
  },
  seed: (sql) => sql.query('INSERT INTO preview_keys (generation) VALUES (gen_random_uuid()::text)'),
};
