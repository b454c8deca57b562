import type { Migration } from '@quire/database';

/**
 * Lists and counts have only ready items. Each index has all columns that a count and the order of a list need, so that
 * neither reads the table. Types are compared by bytes: their beginnings are ranges of the index in every collation.
 */
export const itemListsMigration: Migration = {
  name: '0061-item-lists',
  up: async (sql) => {
    const lists = [
      ['media_items_ready', 'created_at, id'],
      ['media_items_ready_in_folder', 'folder_id, created_at, id'],
      ['media_items_ready_of_type', 'mime_type COLLATE "C", created_at, id'],
    ] as const;
    for (const [name, columns] of lists)
      await sql.query(`CREATE INDEX ${name} ON media_items (${columns}) WHERE status = 'ready'`);
    await sql.query('DROP INDEX media_items_created_at_id');
  },
};
