import type { Migration } from '@quire/database';

/** Downloads of the media of legacy sites, and the media item of each downloaded address. */
export const mediaImportsMigration: Migration = {
  name: '0010-media-imports',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE media_imports (
        id text CONSTRAINT media_imports_pkey PRIMARY KEY,
        list_hash text NOT NULL,
        state text NOT NULL,
        total integer NOT NULL,
        error json,
        requested_by text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        finished_at timestamptz(3)
      )`);
    await sql.query(`CREATE INDEX media_imports_finished_at ON media_imports (finished_at)`);
    // Concurrent requests with one list share an import.
    await sql.query(
      `CREATE UNIQUE INDEX media_imports_running ON media_imports (list_hash) WHERE state = 'running'`,
    );
    await sql.query(`
      CREATE TABLE media_downloads (
        import_id text NOT NULL,
        number integer NOT NULL,
        legacy_id bigint,
        url text NOT NULL,
        url_hash text,
        filename text,
        mime_type text,
        alt text,
        caption text,
        same_as integer,
        state text NOT NULL,
        tries integer NOT NULL DEFAULT 0,
        item_id text NOT NULL,
        error text,
        media_id text,
        new_url text,
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT media_downloads_pkey PRIMARY KEY (import_id, number),
        CONSTRAINT media_downloads_import_id_fkey FOREIGN KEY (import_id) REFERENCES media_imports (id)
          ON DELETE CASCADE
      )`);
    await sql.query(`CREATE INDEX media_downloads_updated_at ON media_downloads (import_id, updated_at)`);
    await sql.query(
      `CREATE INDEX media_downloads_same_as ON media_downloads (import_id, same_as) WHERE same_as IS NOT NULL`,
    );
    await sql.query(
      `CREATE INDEX media_downloads_unfinished ON media_downloads (import_id)
       WHERE state IN ('pending', 'downloading', 'uploading')`,
    );
    await sql.query(`
      CREATE TABLE media_sources (
        url_hash text CONSTRAINT media_sources_pkey PRIMARY KEY,
        media_id text NOT NULL
      )`);
  },
};
