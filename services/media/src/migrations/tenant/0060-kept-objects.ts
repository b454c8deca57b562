import type { Migration } from '@quire/database';

/** Objects of media items that site exports need. */
export const keptObjectsMigration: Migration = {
  name: '0060-kept-objects',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE kept_objects (
        operation_id text NOT NULL,
        sha256 text NOT NULL,
        object_key text NOT NULL,
        bytes bigint NOT NULL,
        kept_until timestamptz(3) NOT NULL,
        CONSTRAINT kept_objects_pkey PRIMARY KEY (operation_id, sha256)
      )`);
    await sql.query('CREATE INDEX kept_objects_object_key ON kept_objects (object_key)');
  },
};
