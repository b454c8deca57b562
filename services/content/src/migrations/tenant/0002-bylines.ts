import type { Migration } from '@quire/database';

/** Bylines, the values that their locales share, the custom fields of bylines, and the credits of entries. */
export const bylinesMigration: Migration = {
  name: '0002-bylines',
  up: async (sql) => {
    // The values that the locales of a byline share. Credits name the group, so that each entry shows the byline in its
    // own locale.
    await sql.query(`
      CREATE TABLE byline_groups (
        id text PRIMARY KEY,
        custom_fields jsonb NOT NULL
      )`);
    await sql.query(`
      CREATE TABLE bylines (
        id text PRIMARY KEY,
        slug text NOT NULL,
        display_name text NOT NULL,
        bio text,
        avatar_media_id text,
        website_url text,
        user_id text,
        is_guest boolean NOT NULL,
        locale text NOT NULL,
        translation_group text NOT NULL,
        custom_fields jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT bylines_translation_group_fkey FOREIGN KEY (translation_group) REFERENCES byline_groups (id)
      )`);
    await sql.query('CREATE UNIQUE INDEX bylines_slug_locale ON bylines (slug, locale)');
    await sql.query(
      'CREATE UNIQUE INDEX bylines_translation_group_locale ON bylines (translation_group, locale)',
    );
    await sql.query('CREATE INDEX bylines_user_id ON bylines (user_id)');
    await sql.query('CREATE INDEX bylines_created_at_id ON bylines (created_at, id)');
    await sql.query(`
      CREATE TABLE entry_bylines (
        entry_id text NOT NULL,
        byline_group text NOT NULL,
        collection text NOT NULL,
        sort_order integer NOT NULL,
        role_label text,
        CONSTRAINT entry_bylines_pkey PRIMARY KEY (entry_id, byline_group),
        CONSTRAINT entry_bylines_byline_group_fkey FOREIGN KEY (byline_group) REFERENCES byline_groups (id)
      )`);
    await sql.query('CREATE INDEX entry_bylines_byline_group ON entry_bylines (byline_group, entry_id)');
    await sql.query(`
      CREATE TABLE byline_fields (
        id text PRIMARY KEY,
        slug text NOT NULL,
        label text NOT NULL,
        type text NOT NULL,
        required boolean NOT NULL,
        translatable boolean NOT NULL,
        validation json,
        sort_order integer NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query('CREATE UNIQUE INDEX byline_fields_slug ON byline_fields (slug)');
  },
};
