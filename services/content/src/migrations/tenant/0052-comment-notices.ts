import type { Migration } from '@quire/database';

/** The time of the notification of the entry's author. Comments approved earlier count as notified. */
export const commentNoticesMigration: Migration = {
  name: '0052-comment-notices',
  up: async (sql) => {
    await sql.query('ALTER TABLE comments ADD COLUMN announced_at timestamptz(3)');
    await sql.query(`UPDATE comments SET announced_at = updated_at WHERE status = 'approved'`);
  },
};
