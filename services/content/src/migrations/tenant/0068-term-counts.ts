import type { Migration } from '@quire/database';
import { contentTableName, createPublishedIndex } from '../../schema/index.js';

/** Indexes with all that counts of the entries of terms read. */
export const termCountsMigration: Migration = {
  name: '0068-term-counts',
  up: async (sql) => {
    await sql.query(
      `CREATE INDEX IF NOT EXISTS entry_terms_term_entries ON entry_terms (term_group, collection, entry_group)`,
    );
    await sql.query(
      'CREATE INDEX IF NOT EXISTS entry_terms_collection ON entry_terms (collection, term_group)',
    );
    await sql.query('DROP INDEX IF EXISTS entry_terms_term_group');
    // A table that no collection has may lack the columns; it gets the index with its collection.
    const collections = await sql.query<{ slug: string }>('SELECT slug FROM collections ORDER BY slug');
    for (const { slug } of collections) await createPublishedIndex(sql, contentTableName(slug));
  },
};
