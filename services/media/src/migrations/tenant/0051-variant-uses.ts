import type { Migration } from '@quire/database';

/** When a variant was last asked for, and variants that cannot be made: those have no object. */
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
