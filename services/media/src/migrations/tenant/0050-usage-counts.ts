import type { Migration } from '@quire/database';

/** Marks one source for each item and entry, so that entries that use an item are counted in an index only. */
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
