import type { Migration } from '@quire/database';

/**
 * Objects of the store that are to be deleted at a time, across tenants. Every object is written down here before its first byte is
 * stored, and struck out in the transaction that begins to need it: whatever breaks off in between leaves nothing behind.
 */
export const doomedObjectsMigration: Migration = {
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
