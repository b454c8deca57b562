import type { Migration } from '@quire/database';

/** Pending work, across tenants, so that one statement of a runner sees every site of a database. */
export const usageWorkMigration: Migration = {
  name: '0010-usage-work',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE usage_work (
        tenant_id text NOT NULL,
        collection_id text NOT NULL,
        content_id text NOT NULL,
        collection_slug text NOT NULL,
        state text NOT NULL,
        generation bigint NOT NULL DEFAULT 1,
        attempt_count integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz(3) NOT NULL DEFAULT now(),
        lease_token text,
        lease_expires_at timestamptz(3),
        last_attempted_at timestamptz(3),
        last_error_code text,
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT usage_work_pkey PRIMARY KEY (tenant_id, collection_id, content_id)
      )`);
    await sql.query(
      `CREATE INDEX usage_work_next_attempt_at ON usage_work (next_attempt_at) WHERE state <> 'failed'`,
    );
    await sql.query(
      'CREATE INDEX usage_work_listed ON usage_work (tenant_id, collection_slug, content_id, collection_id)',
    );
    await sql.query(`
      CREATE TABLE usage_deletions (
        tenant_id text NOT NULL,
        collection_id text NOT NULL,
        collection_slug text NOT NULL,
        state text NOT NULL,
        phase text NOT NULL,
        attempt_count integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz(3) NOT NULL DEFAULT now(),
        lease_token text,
        lease_expires_at timestamptz(3),
        last_error_code text,
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT usage_deletions_pkey PRIMARY KEY (tenant_id, collection_id)
      )`);
    await sql.query(`
      CREATE TABLE usage_rebuilds (
        tenant_id text NOT NULL,
        collection_id text NOT NULL,
        collection_slug text NOT NULL,
        attempt_count integer NOT NULL DEFAULT 0,
        requested_at timestamptz(3) NOT NULL DEFAULT now(),
        next_attempt_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT usage_rebuilds_pkey PRIMARY KEY (tenant_id, collection_id)
      )`);
  },
};
