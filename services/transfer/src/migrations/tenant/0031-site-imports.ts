import type { Migration } from '@quire/database';

/** What imports of whole sites have beyond exports. A site has at most one import that has not ended. */
export const siteImportsMigration: Migration = {
  name: '0031-site-imports',
  up: async (sql) => {
    await sql.query(`
      ALTER TABLE transfer_operations
        ADD COLUMN origin_site_id text,
        ADD COLUMN plan json,
        ADD COLUMN receipt json,
        ADD COLUMN cancel_requested_at timestamptz(3),
        ADD COLUMN mutation_started_at timestamptz(3)`);
    await sql.query(
      `CREATE UNIQUE INDEX transfer_operations_active_import ON transfer_operations (kind)
         WHERE kind = 'import' AND (state IN ('uploading', 'analyzing', 'planned', 'running', 'verifying')
           OR (state IN ('failed', 'cancelled') AND mutation_started_at IS NOT NULL))`,
    );
    await sql.query('ALTER TABLE transfer_files ADD COLUMN is_stored boolean NOT NULL DEFAULT true');
    await sql.query(
      'CREATE INDEX transfer_files_missing ON transfer_files (operation_id, position) WHERE NOT is_stored',
    );
  },
};
