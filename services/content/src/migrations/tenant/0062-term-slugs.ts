import type { Migration } from '@quire/database';

/** The index behind filters by terms: a slug of any locale names a term. */
export const termSlugsMigration: Migration = {
  name: '0062-term-slugs',
  up: async (sql) => {
    await sql.query('CREATE INDEX terms_taxonomy_id_slug ON terms (taxonomy_id, slug)');
  },
};
