import { identifier, likeStarting, type Migration } from '@quire/database';
import { addSystemColumns, contentTablePrefix } from '../../schema/index.js';

/** Last editor and time of the last edit, added to existing tables of collections; unknown for existing rows. */
export const entryEditorsMigration: Migration = {
  name: '0053-entry-editors',
  up: async (sql) => {
    const tables = await sql.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables
       WHERE schemaname = current_schema() AND tablename LIKE $1 ORDER BY tablename`,
      [likeStarting(contentTablePrefix)],
    );
    for (const { name } of tables) {
      await addSystemColumns(sql, name);
      await sql.query(`ALTER TABLE ${identifier(name)} ALTER COLUMN _edited_at SET DEFAULT now()`);
    }
  },
};
