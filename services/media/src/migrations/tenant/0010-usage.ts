import type { Migration } from '@quire/database';

/**
 * The entries that use media, and the coverage of each collection. An entry has a row if it references media. A source
 * is one variant of an entry that references one item.
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
    // Entries that the worker indexes during a repair are newer than those that the repair has read.
    await sql.query(`
      CREATE TABLE media_usage_indexed_meanwhile (
        collection_id text NOT NULL,
        content_id text NOT NULL,
        CONSTRAINT media_usage_indexed_meanwhile_pkey PRIMARY KEY (collection_id, content_id)
      )`);
  },
};
