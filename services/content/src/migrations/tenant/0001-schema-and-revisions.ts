import type { Migration } from '@quire/database';

/** Collections, their fields, and revisions. The table of a collection itself is created by schema/. */
export const schemaAndRevisionsMigration: Migration = {
  name: '0001-schema-and-revisions',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE collections (
        id text PRIMARY KEY,
        slug text NOT NULL,
        label text NOT NULL,
        label_singular text,
        description text,
        icon text,
        admin json,
        supports text[] NOT NULL,
        source text,
        url_pattern text,
        routable boolean NOT NULL,
        has_seo boolean NOT NULL,
        hidden boolean NOT NULL,
        sort_order integer,
        title_field text,
        date_field text,
        comments_enabled boolean NOT NULL DEFAULT false,
        comments_moderation text NOT NULL DEFAULT 'first_time',
        comments_closed_after_days integer NOT NULL DEFAULT 90,
        comments_auto_approve_users boolean NOT NULL DEFAULT true,
        edit_locking boolean NOT NULL DEFAULT true,
        "group" text,
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query('CREATE UNIQUE INDEX collections_slug ON collections (slug)');
    await sql.query(`
      CREATE TABLE fields (
        id text PRIMARY KEY,
        collection_id text NOT NULL,
        slug text NOT NULL,
        label text NOT NULL,
        type text NOT NULL,
        required boolean NOT NULL,
        "unique" boolean NOT NULL,
        searchable boolean NOT NULL,
        indexed boolean NOT NULL,
        translatable boolean NOT NULL,
        default_value json,
        validation json,
        widget text,
        options json,
        sort_order integer NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT fields_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES collections (id) ON DELETE CASCADE
      )`);
    await sql.query('CREATE UNIQUE INDEX fields_collection_id_slug ON fields (collection_id, slug)');
    // Revisions of every collection are in one table: an entry id is unique across collections.
    await sql.query(`
      CREATE TABLE revisions (
        id text PRIMARY KEY,
        collection text NOT NULL,
        entry_id text NOT NULL,
        data json NOT NULL,
        author_id text,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query('CREATE INDEX revisions_entry_id ON revisions (entry_id, id)');
  },
};
