import { identifier, type Queryable } from '@quire/database';
import { indexesWithTable, tableOf } from './index-tables.js';

/**
 * Adds the columns of format 2 to the tables of indexes of format 1, so that both are written and searched alike until
 * the indexes are rebuilt. All their text is published.
 */
export async function addViewsToTables(sql: Queryable): Promise<void> {
  for (const index of await indexesWithTable(sql, 'index')) {
    const table = tableOf('index', index);
    await sql.query(
      `ALTER TABLE ${table} ADD COLUMN view smallint NOT NULL DEFAULT 0,
         ADD COLUMN statuses text[] DEFAULT '{published,all}'`,
    );
    const [key] = await sql.query<{ name: string }>(
      `SELECT conname::text AS name FROM pg_constraint
       WHERE conrelid = '${table}'::regclass AND contype = 'p'`,
    );
    if (!key) throw new Error(`The table ${table} has no primary key`);
    await sql.query(
      `ALTER TABLE ${table} DROP CONSTRAINT ${identifier(key.name)}, ADD PRIMARY KEY (id, view)`,
    );
  }
  for (const index of await indexesWithTable(sql, 'ledger'))
    await sql.query(`ALTER TABLE ${tableOf('ledger', index)} ADD COLUMN views smallint NOT NULL DEFAULT 1`);
}
