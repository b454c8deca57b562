import type { Migration } from '@quire/database';

/**
 * Which entries use which media, and how far that is known of each collection. An entry has a row when it refers to
 * media; a source is one variant of it that refers to one item.
 */
export const usageMigration: Migration = {
  name: '0010-usage',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE media_usage_entries (
        collection_id text NOT NULL,
        content_id text NOT NULL,
        collection_slug text NOT NULL,
        title text,
        slug text,
        locale text NOT NULL,
        status text NOT NULL,
        scheduled_at timestamptz(3),
        deleted_at timestamptz(3),
        digest text NOT NULL,
        CONSTRAINT media_usage_entries_pkey PRIMARY KEY (collection_id, content_id)
      )`);
    await sql.query(`
      CREATE TABLE media_usage_sources (
        media_id text NOT NULL,
        collection_id text NOT NULL,
        content_id text NOT NULL,
        variant text NOT NULL,
        occurrences json NOT NULL,
        CONSTRAINT media_usage_sources_pkey PRIMARY KEY (media_id, collection_id, content_id, variant),
        CONSTRAINT media_usage_sources_entry_fkey FOREIGN KEY (collection_id, content_id)
          REFERENCES media_usage_entries (collection_id, content_id) ON DELETE CASCADE
      )`);
    await sql.query(
      'CREATE INDEX media_usage_sources_entry ON media_usage_sources (collection_id, content_id)',
    );
    await sql.query(`
      CREATE TABLE media_usage_coverage (
        collection_id text PRIMARY KEY,
        collection_slug text NOT NULL,
        status text NOT NULL,
        is_tracked boolean NOT NULL DEFAULT false,
        is_followed boolean NOT NULL DEFAULT false,
        is_outdated boolean NOT NULL DEFAULT false,
        shape text,
        indexed_sources integer NOT NULL DEFAULT 0,
        failed_sources integer NOT NULL DEFAULT 0,
        skipped_sources integer NOT NULL DEFAULT 0,
        deleted_sources integer NOT NULL DEFAULT 0,
        last_error_code text,
        started_at timestamptz(3),
        completed_at timestamptz(3),
        repair_token text,
        repair_expires_at timestamptz(3)
      )`);
    // What the worker indexes while a repair walks the collection is newer than what the repair has read.
    await sql.query(`
      CREATE TABLE media_usage_indexed_meanwhile (
        collection_id text NOT NULL,
        content_id text NOT NULL,
        CONSTRAINT media_usage_indexed_meanwhile_pkey PRIMARY KEY (collection_id, content_id)
      )`);
  },
};

/** Marks one source for each item and entry, so that an index alone tells in how many entries an item is used. */
export const usageCountsMigration: Migration = {
  name: '0050-usage-counts',
  up: async (sql) => {
    await sql.query('ALTER TABLE media_usage_sources ADD COLUMN counts boolean NOT NULL DEFAULT false');
    await sql.query(`
      UPDATE media_usage_sources s SET counts = true FROM media_usage_entries e
      WHERE e.collection_id = s.collection_id AND e.content_id = s.content_id AND e.deleted_at IS NULL
        AND NOT EXISTS (SELECT FROM media_usage_sources other WHERE other.media_id = s.media_id
          AND other.collection_id = s.collection_id AND other.content_id = s.content_id AND other.variant < s.variant)`);
    await sql.query(
      'CREATE INDEX media_usage_sources_counted ON media_usage_sources (media_id, collection_id) WHERE counts',
    );
  },
};

/** Work that waits, across tenants, so that one sweep statement sees every site of a database. */
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
