import type { Migration } from '@quire/database';

/** Exports and imports of whole sites, and the files of their packages. */
export const transferOperationsMigration: Migration = {
  name: '0030-transfer-operations',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE transfer_operations (
        id text CONSTRAINT transfer_operations_pkey PRIMARY KEY,
        kind text NOT NULL,
        state text NOT NULL,
        stage text,
        options json NOT NULL,
        idempotency_key text,
        progress json,
        cursor json NOT NULL,
        package_digest text,
        plan_digest text,
        error_code text,
        error_detail json,
        attempt_count integer NOT NULL DEFAULT 0,
        created_by text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        completed_at timestamptz(3),
        expires_at timestamptz(3),
        staging_collected_at timestamptz(3)
      )`);
    await sql.query(
      'CREATE INDEX transfer_operations_kind_created_at_id ON transfer_operations (kind, created_at, id)',
    );
    await sql.query(
      `CREATE UNIQUE INDEX transfer_operations_idempotency_key
         ON transfer_operations (kind, created_by, idempotency_key)`,
    );
    await sql.query(`
      CREATE TABLE transfer_files (
        operation_id text NOT NULL,
        position bigint NOT NULL,
        path text NOT NULL,
        bytes bigint NOT NULL,
        sha256 text NOT NULL,
        object_key text NOT NULL,
        CONSTRAINT transfer_files_pkey PRIMARY KEY (operation_id, position)
      )`);
    await sql.query(
      'CREATE UNIQUE INDEX transfer_files_operation_id_path ON transfer_files (operation_id, path)',
    );
  },
};
