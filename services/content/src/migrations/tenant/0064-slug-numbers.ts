import { likeStarting, type Migration } from '@quire/database';
import { contentTablePrefix, ensureSlugNumberIndex } from '../../schema/index.js';

/** The index of numbered slugs, added to existing tables of collections. An orphaned table may lack the columns. */
export const slugNumbersMigration: Migration = {
  name: '0064-slug-numbers',
  up: async (sql) => {
    const tables = await sql.query<{ name: string }>(
      `SELECT t.tablename AS name FROM pg_tables t
       WHERE t.schemaname = current_schema() AND t.tablename LIKE $1 AND 2 = (
         SELECT count(*) FROM pg_attribute a
         WHERE a.attrelid = format('%I', t.tablename)::regclass AND a.attname IN ('slug', '_locale')
           AND NOT a.attisdropped AND a.atttypid = 'text'::regtype)
       ORDER BY 1`,
      [likeStarting(contentTablePrefix)],
    );
    for (const { name } of tables) await ensureSlugNumberIndex(sql, name);
  },
};
