import type { Migration } from '@quire/database';

/**
 * Deletions in steps. `deleted_entries` has no rows: the tables of deleted collections inherit from it. Links outlive
 * their relation until a step deletes them.
 */
export const deletionsMigration: Migration = {
  name: '0063-deletions',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE deletions (
        kind text NOT NULL,
        id text NOT NULL,
        collection text,
        field text,
        position text NOT NULL DEFAULT '',
        CONSTRAINT deletions_pkey PRIMARY KEY (kind, id)
      )`);
    await sql.query('CREATE TABLE deleted_entries (id text, _translation_group text)');
    // Without statistics PostgreSQL expects ten pages of rows.
    await sql.query('ANALYZE deleted_entries');
    await sql.query('CREATE INDEX revisions_collection ON revisions (collection, id)');
    await sql.query('ALTER TABLE reference_links DROP CONSTRAINT reference_links_relation_id_fkey');
  },
};
