import type { Migration } from '@quire/database';

/**
 * Scheduled object deletions, across tenants. Each object gets a row before upload; the transaction that references the
 * object removes the row. Interrupted uploads are therefore cleaned up.
 */
export const objectDeletionsMigration: Migration = {
  name: '0001-doomed-objects',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE doomed_objects (
        object_key text PRIMARY KEY,
        tenant_id text NOT NULL,
        item_id text,
        due_at timestamptz(3) NOT NULL,
        attempts integer NOT NULL DEFAULT 0
      )`);
    await sql.query('CREATE INDEX doomed_objects_due_at ON doomed_objects (due_at)');
  },
};
