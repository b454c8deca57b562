import type { Migration } from '@quire/database';
import { addViewsToTables } from '@quire/search-engine';

/** Which collections of a tenant can be searched, and the generations of their indexes. */
export const collectionsMigration: Migration = {
  name: '0001-search-collections',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE search_collections (
        collection_id text PRIMARY KEY,
        slug text NOT NULL,
        hidden boolean NOT NULL DEFAULT false,
        enabled boolean NOT NULL,
        tokenizer text NOT NULL,
        weights json NOT NULL,
        last_generation integer NOT NULL DEFAULT 0,
        live_generation integer,
        is_lost boolean NOT NULL DEFAULT false,
        last_rebuilt_at timestamptz(3)
      )`);
    await sql.query(`
      CREATE TABLE search_generations (
        collection_id text NOT NULL,
        generation integer NOT NULL,
        tokenizer text NOT NULL,
        weights json NOT NULL,
        title_weight double precision,
        fingerprint text NOT NULL,
        after_id text,
        CONSTRAINT search_generations_pkey PRIMARY KEY (collection_id, generation),
        CONSTRAINT search_generations_collection_id_fkey FOREIGN KEY (collection_id)
          REFERENCES search_collections (collection_id) ON DELETE CASCADE
      )`);
  },
};

/** What the last look at an index found amiss. */
export const differencesMigration: Migration = {
  name: '0002-search-differences',
  up: async (sql) => {
    await sql.query('ALTER TABLE search_collections ADD COLUMN difference text');
  },
};

/**
 * Formats of indexes: those of before hold published text alone, and are built anew when their collection is
 * next tended.
 */
export const formatsMigration: Migration = {
  name: '0003-search-formats',
  up: async (sql) => {
    await sql.query('ALTER TABLE search_generations ADD COLUMN format smallint NOT NULL DEFAULT 1');
    await addViewsToTables(sql);
  },
};
