import type { Migration } from '@quire/database';

/** The time of the last request of a variant, and failed attempts, which have no object. */
export const variantUsesMigration: Migration = {
  name: '0051-variant-uses',
  up: async (sql) => {
    await sql.query(`
      ALTER TABLE media_variants
        ALTER COLUMN object_key DROP NOT NULL,
        ADD COLUMN used_at timestamptz(3) NOT NULL DEFAULT now(),
        ADD COLUMN retry_at timestamptz(3)`);
    await sql.query('CREATE INDEX media_variants_used_at ON media_variants (used_at)');
  },
};
