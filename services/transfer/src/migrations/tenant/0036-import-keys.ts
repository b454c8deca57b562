import type { Migration } from '@quire/database';

/**
 * Values of the records of a package, for its analysis. The table is unlogged: a crash of the database empties it, and
 * the analysis begins again.
 */
export const importKeysMigration: Migration = {
  name: '0036-import-keys',
  up: async (sql) => {
    await sql.query(`
      CREATE UNLOGGED TABLE transfer_import_keys (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT transfer_import_keys_pkey PRIMARY KEY,
        operation_id text NOT NULL,
        role text NOT NULL,
        kind text NOT NULL,
        property text NOT NULL,
        scope text NOT NULL,
        value text NOT NULL,
        record_key text NOT NULL,
        count integer NOT NULL
      )`);
    await sql.query(
      'CREATE INDEX transfer_import_keys_operation_id_kind ON transfer_import_keys (operation_id, kind, role)',
    );
  },
};
