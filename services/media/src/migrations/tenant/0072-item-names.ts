import { identifier, type Migration } from '@quire/database';

/**
 * An index of file names by their trigrams, for lists with `q`: where the extension `pg_trgm` is installed, in any
 * schema. Without it such a list reads the names of all ready items.
 */
export const itemNamesMigration: Migration = {
  name: '0072-item-names',
  up: async (sql) => {
    const [installed] = await sql.query<{ schema: string }>(
      `SELECT n.nspname AS schema FROM pg_opclass o JOIN pg_namespace n ON n.oid = o.opcnamespace
       WHERE o.opcname = 'gin_trgm_ops' AND has_schema_privilege(n.oid, 'USAGE')`,
    );
    if (!installed) return;
    await sql.query(
      `CREATE INDEX media_items_ready_names ON media_items
       USING gin (filename ${identifier(installed.schema)}.gin_trgm_ops) WHERE status = 'ready'`,
    );
  },
};
