import type { Migration } from '@quire/database';

/** Indexes that give the links of an entry in their order, on both ends. */
export const linkOrderMigration: Migration = {
  name: '0067-link-order',
  up: async (sql) => {
    await sql.query(
      `CREATE INDEX IF NOT EXISTS reference_links_parents ON reference_links (relation_id, child_group, parent_group)`,
    );
    await sql.query(
      `CREATE INDEX IF NOT EXISTS reference_links_children
       ON reference_links (relation_id, parent_group, sort_order, child_group)`,
    );
    await sql.query('DROP INDEX IF EXISTS reference_links_child');
  },
};
