import type { Migration } from '@quire/database';

/** The folders of a tenant's media library. */
export const foldersMigration: Migration = {
  name: '0001-folders',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE media_folders (
        id text PRIMARY KEY,
        name text NOT NULL,
        name_key text NOT NULL,
        name_digest text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query('CREATE UNIQUE INDEX media_folders_name_digest ON media_folders (name_digest)');
  },
};
