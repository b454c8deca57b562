import type { Migration } from '@quire/database';

/** Sections: reusable pieces of content. */
export const sectionsMigration: Migration = {
  name: '0020-sections',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE sections (
        id text PRIMARY KEY,
        slug text NOT NULL,
        title text NOT NULL,
        description text,
        keywords text[] NOT NULL,
        content json NOT NULL,
        preview_media_id text,
        source text NOT NULL,
        theme_id text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query('CREATE UNIQUE INDEX sections_slug ON sections (slug)');
    await sql.query('CREATE INDEX sections_title_id ON sections (title, id)');
  },
};
