import type { Migration } from '@quire/database';

/** The files of a tenant's media library. Files of a deleted folder move to the main library (document 1, Media 6). */
export const itemsMigration: Migration = {
  name: '0002-items',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE media_items (
        id text PRIMARY KEY,
        filename text NOT NULL,
        mime_type text NOT NULL,
        size bigint NOT NULL,
        width integer,
        height integer,
        alt text,
        caption text,
        blurhash text,
        dominant_color text,
        storage_key text NOT NULL,
        object_key text,
        content_hash text,
        sha256 text,
        folder_id text,
        status text NOT NULL,
        author_id text,
        replacements integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT media_items_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES media_folders (id) ON DELETE SET NULL
      )`);
    await sql.query('CREATE UNIQUE INDEX media_items_storage_key ON media_items (storage_key)');
    await sql.query('CREATE INDEX media_items_created_at_id ON media_items (created_at, id)');
    await sql.query('CREATE INDEX media_items_sha256_size ON media_items (sha256, size)');
    await sql.query('CREATE INDEX media_items_content_hash_size ON media_items (content_hash, size)');
    await sql.query('CREATE INDEX media_items_folder_id ON media_items (folder_id)');
  },
};
