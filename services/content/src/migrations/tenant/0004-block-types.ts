import type { Migration } from '@quire/database';

/** Block types with all their versions; new blocks get `current_version`. */
export const blockTypesMigration: Migration = {
  name: '0004-block-types',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE block_types (
        id text PRIMARY KEY,
        slug text NOT NULL UNIQUE,
        label text NOT NULL,
        description text,
        icon text,
        category text,
        current_version integer NOT NULL,
        source text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query(`
      CREATE TABLE block_type_versions (
        id text PRIMARY KEY,
        block_type_id text NOT NULL REFERENCES block_types (id) ON DELETE CASCADE,
        version integer NOT NULL,
        fields json NOT NULL,
        fingerprint text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        UNIQUE (block_type_id, version)
      )`);
  },
};
