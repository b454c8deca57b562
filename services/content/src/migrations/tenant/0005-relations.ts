import type { Migration } from '@quire/database';

/**
 * Relations between two collections, and the live links of entries. Links are keyed by translation group: all
 * translations of an entry share one selection (spec document 1, Content entry).
 */
export const relationsMigration: Migration = {
  name: '0005-relations',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE relations (
        id text PRIMARY KEY,
        slug text NOT NULL UNIQUE,
        parent_collection text NOT NULL,
        child_collection text NOT NULL,
        parent_label text NOT NULL,
        parent_label_singular text,
        child_label text NOT NULL,
        child_label_singular text,
        max_children_per_parent integer,
        max_parents_per_child integer,
        made_by_field boolean NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query('CREATE INDEX relations_parent_collection ON relations (parent_collection)');
    await sql.query('CREATE INDEX relations_child_collection ON relations (child_collection)');
    await sql.query(`
      CREATE TABLE reference_links (
        relation_id text NOT NULL REFERENCES relations (id) ON DELETE CASCADE,
        parent_group text NOT NULL,
        child_group text NOT NULL,
        sort_order integer NOT NULL,
        PRIMARY KEY (relation_id, parent_group, child_group)
      )`);
    await sql.query('CREATE INDEX reference_links_child ON reference_links (relation_id, child_group)');
  },
};
