import type { Migration } from '@quire/database';

/** The searchable collections of a tenant and the generations of their indexes. */
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
