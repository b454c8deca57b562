import type { Migration } from '@quire/database';

/** Taxonomies with a definition per locale, their terms, and the assignments of terms to entries. */
export const taxonomiesMigration: Migration = {
  name: '0010-taxonomies',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE taxonomies (
        id text PRIMARY KEY,
        name text NOT NULL,
        hierarchical boolean NOT NULL,
        collections text[] NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query('CREATE UNIQUE INDEX taxonomies_name ON taxonomies (name)');
    await sql.query(`
      CREATE TABLE taxonomy_definitions (
        id text PRIMARY KEY,
        taxonomy_id text NOT NULL,
        locale text NOT NULL,
        label text NOT NULL,
        label_singular text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT taxonomy_definitions_taxonomy_id_fkey FOREIGN KEY (taxonomy_id)
          REFERENCES taxonomies (id) ON DELETE CASCADE
      )`);
    await sql.query(
      'CREATE UNIQUE INDEX taxonomy_definitions_taxonomy_id_locale ON taxonomy_definitions (taxonomy_id, locale)',
    );
    await sql.query(`
      CREATE TABLE term_groups (
        id text PRIMARY KEY,
        taxonomy_id text NOT NULL,
        parent_id text,
        sort_order integer NOT NULL,
        CONSTRAINT term_groups_taxonomy_id_fkey FOREIGN KEY (taxonomy_id)
          REFERENCES taxonomies (id) ON DELETE CASCADE,
        CONSTRAINT term_groups_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES term_groups (id)
      )`);
    await sql.query('CREATE INDEX term_groups_taxonomy_id ON term_groups (taxonomy_id, sort_order)');
    await sql.query('CREATE INDEX term_groups_parent_id ON term_groups (parent_id)');
    await sql.query(`
      CREATE TABLE terms (
        id text PRIMARY KEY,
        group_id text NOT NULL,
        taxonomy_id text NOT NULL,
        locale text NOT NULL,
        slug text NOT NULL,
        label text NOT NULL,
        description text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT terms_group_id_fkey FOREIGN KEY (group_id) REFERENCES term_groups (id) ON DELETE CASCADE
      )`);
    await sql.query('CREATE UNIQUE INDEX terms_taxonomy_id_locale_slug ON terms (taxonomy_id, locale, slug)');
    await sql.query('CREATE UNIQUE INDEX terms_group_id_locale ON terms (group_id, locale)');
    // By translation group on both sides: an assignment holds for every locale of the entry and of the term.
    await sql.query(`
      CREATE TABLE entry_terms (
        entry_group text NOT NULL,
        term_group text NOT NULL,
        collection text NOT NULL,
        CONSTRAINT entry_terms_pkey PRIMARY KEY (entry_group, term_group),
        CONSTRAINT entry_terms_term_group_fkey FOREIGN KEY (term_group)
          REFERENCES term_groups (id) ON DELETE CASCADE
      )`);
    await sql.query('CREATE INDEX entry_terms_term_group ON entry_terms (term_group, collection)');
  },
};
