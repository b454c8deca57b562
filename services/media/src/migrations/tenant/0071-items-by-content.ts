import type { Migration } from '@quire/database';

/**
 * A function that waits for other transactions that store the same bytes, and then finds the item that has them. Each
 * statement of a volatile function has a snapshot of its own: it sees the item of the transaction that it waited for,
 * which the statement that calls the function does not.
 */
export const itemsByContentMigration: Migration = {
  name: '0071-items-by-content',
  up: async (sql) => {
    await sql.query(`
      CREATE FUNCTION lock_ready_item_by_content(quick_hash text, bytes bigint, strong_hash text)
      RETURNS SETOF media_items LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || ':media:' || strong_hash, 0));
        RETURN QUERY SELECT i.* FROM media_items i
          WHERE i.content_hash = quick_hash AND i.size = bytes AND i.sha256 = strong_hash AND i.status = 'ready'
          ORDER BY i.id LIMIT 1;
      END
      $$`);
  },
};
