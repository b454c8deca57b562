import { likeStarting, type Migration } from '@quire/database';
import { contentTablePrefix, ensureSlugNumberIndex } from '../../schema/index.js';

/** The index of numbered slugs, added to existing tables of collections. An orphaned table may lack the columns. */
export const slugNumbersMigration: Migration = {
  name: '0064-slug-numbers',
  up: async (sql) => {
    const tables = await sql.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c
       WHERE c.relname LIKE $1 AND c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind = 'r' AND 2 = (
         SELECT count(*) FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attname IN ('slug', '_locale')
           AND NOT a.attisdropped AND a.atttypid = 'text'::regtype)
       ORDER BY 1`,
      [likeStarting(contentTablePrefix)],
    );
    for (const { name } of tables) await ensureSlugNumberIndex(sql, name);
  },
};
