import type { Migration } from '@quire/database';

/**
 * Variants of images, each with an object in the store. A variant belongs to the object with the source bytes, not to
 * an item.
 */
export const variantsMigration: Migration = {
  name: '0003-variants',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE media_variants (
        source_key text NOT NULL,
        name text NOT NULL,
        object_key text NOT NULL,
        size bigint NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT media_variants_pkey PRIMARY KEY (source_key, name)
      )`);
  },
};
