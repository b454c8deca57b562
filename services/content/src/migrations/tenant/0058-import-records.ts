import type { Migration } from '@quire/database';

/** Imported objects by their identity at the source; `kind` and `target_id` name an object of any table. */
export const importRecordsMigration: Migration = {
  name: '0058-import-records',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE import_records (
        site text NOT NULL,
        source_type text NOT NULL,
        source_id text NOT NULL,
        kind text NOT NULL,
        target_id text NOT NULL,
        collection text,
        import_id text NOT NULL,
        updated_by text NOT NULL,
        fingerprint text NOT NULL,
        target_version integer NOT NULL DEFAULT 1,
        parent_type text,
        parent_id text,
        remainder json,
        is_trashed boolean NOT NULL DEFAULT false,
        result json,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT import_records_pkey PRIMARY KEY (site, source_type, source_id)
      )`);
    await sql.query(
      'CREATE INDEX import_records_import_id ON import_records (import_id, kind, source_type, source_id)',
    );
    await sql.query('CREATE INDEX import_records_target ON import_records (target_id)');
  },
};
