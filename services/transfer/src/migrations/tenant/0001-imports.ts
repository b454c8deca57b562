import type { Migration } from '@quire/database';

/** Imports of legacy exports, with the index of each file and what happened to its items. */
export const importsMigration: Migration = {
  name: '0001-imports',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE imports (
        id text CONSTRAINT imports_pkey PRIMARY KEY,
        source text NOT NULL,
        site text NOT NULL,
        state text NOT NULL,
        phase text NOT NULL,
        cursor integer NOT NULL DEFAULT 0,
        config json NOT NULL,
        channel json NOT NULL,
        file_key text,
        file_name text,
        file_size bigint,
        file_hash text,
        counts json NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        error json,
        requested_by text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        finished_at timestamptz(3)
      )`);
    await sql.query(`CREATE INDEX imports_created_at_id ON imports (created_at, id)`);
    // A site has one import at a time (contract 6).
    await sql.query(
      `CREATE UNIQUE INDEX imports_running ON imports ((true)) WHERE state IN ('reading', 'running', 'paused')`,
    );
    await sql.query(`
      CREATE TABLE import_items (
        import_id text NOT NULL,
        position integer NOT NULL,
        kind text NOT NULL,
        source_type text NOT NULL,
        source_id text,
        file_offset bigint,
        length integer,
        line integer,
        title text,
        slug text,
        parent_id text,
        language_group text,
        facts json NOT NULL,
        state text NOT NULL,
        entry_id text,
        CONSTRAINT import_items_pkey PRIMARY KEY (import_id, position),
        CONSTRAINT import_items_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports (id) ON DELETE CASCADE
      )`);
    await sql.query(`CREATE INDEX import_items_kind ON import_items (import_id, kind, position)`);
    await sql.query(`CREATE INDEX import_items_source_id ON import_items (import_id, kind, source_id)`);
    await sql.query(
      `CREATE INDEX import_items_parent_id ON import_items (import_id, kind, parent_id) WHERE parent_id IS NOT NULL`,
    );
    await sql.query(
      `CREATE INDEX import_items_language_group ON import_items (import_id, language_group, position)
       WHERE language_group IS NOT NULL`,
    );
    await sql.query(`
      CREATE TABLE import_issues (
        import_id text NOT NULL,
        severity text NOT NULL,
        number integer NOT NULL,
        code text NOT NULL,
        message text NOT NULL,
        title text,
        source_type text,
        source_id text,
        collection text,
        entry_id text,
        saved_as_draft boolean NOT NULL,
        CONSTRAINT import_issues_pkey PRIMARY KEY (import_id, severity, number),
        CONSTRAINT import_issues_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports (id) ON DELETE CASCADE
      )`);
  },
};
