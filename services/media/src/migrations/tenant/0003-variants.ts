import type { Migration } from '@quire/database';

/**
 * Variants of images, each an object of the store. They belong to the bytes they were made of: to an object, not to an
 * item.
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
