import type { Migration } from '@quire/database';

/** Redirect rules. Lookups use `source_key` or `prefix`, never a scan of all rules. */
export const redirectsMigration: Migration = {
  name: '0041-redirects',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE redirects (
        id text CONSTRAINT redirects_pkey PRIMARY KEY,
        source text NOT NULL,
        source_key text NOT NULL,
        prefix text,
        destination text NOT NULL,
        type integer NOT NULL,
        enabled boolean NOT NULL,
        hits bigint NOT NULL DEFAULT 0,
        last_hit_at timestamptz(3),
        group_name text,
        auto boolean NOT NULL DEFAULT false,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query('CREATE UNIQUE INDEX redirects_source_key ON redirects (source_key)');
    await sql.query('CREATE INDEX redirects_prefix ON redirects (prefix)');
    await sql.query('CREATE INDEX redirects_created_at ON redirects (created_at, id)');
  },
};
