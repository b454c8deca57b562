import { expect, it } from '@jest/globals';
import { openServiceTenant } from '@quire/testing';
import { createContentTable } from '../../schema/index.js';
import { listIndexesMigration } from './0061-list-indexes.js';

type Sql = Parameters<typeof listIndexesMigration.up>[0];

const former = ['created_at', 'updated_at', 'published_at'];
/** Of other migrations, or older. */
const isOther = (name: string) => /\.(key|published)$|\._slug_number\./.test(name);
/** A collection of the former version, one that was created since, and a table of no collection. */
const before = {
  name: '0001-before',
  up: async (sql: Sql) => {
    await sql.query('CREATE TABLE collections (slug text)');
    await sql.query("INSERT INTO collections VALUES ('old'), ('new')");
    await createContentTable(sql, 'content_new');
    await createContentTable(sql, 'content_old');
    for (const { name } of await indexesOf(sql, 'content_old'))
      if (!isOther(name)) await sql.query(`DROP INDEX "${name}"`);
    await sql.query('DROP STATISTICS "ix.content_old.locale.locale"');
    await sql.query('ALTER TABLE content_old RESET (fillfactor)');
    for (const column of former)
      await sql.query(
        `CREATE INDEX "ix.content_old.${column}.order" ON content_old (${column} NULLS FIRST, id) WHERE deleted_at IS NULL`,
      );
    await sql.query('CREATE TABLE content_orphan (id text)');
  },
};

const indexesOf = (sql: Sql, table: string) =>
  sql.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE schemaname = current_schema() AND tablename = $1 ORDER BY 1`,
    [table],
  );

it('listIndexesMigration gives tables of collections the indexes that new ones have', async () => {
  const tables = { tenant: [before, listIndexesMigration], shared: [] };
  const { ctx, close } = await openServiceTenant('spec-of-list-indexes', 'spec-of-list-indexes', tables, []);
  const [old, made] = await Promise.all(
    ['content_old', 'content_new'].map(async (table) =>
      (await indexesOf(ctx.db, table)).map(({ definition }) => definition.replaceAll(table, 'table')),
    ),
  );
  expect(old).toEqual(made);
  const options = await ctx.db.query(
    `SELECT reloptions AS options FROM pg_class
     WHERE oid = ANY(ARRAY['content_old', 'content_new']::regclass[])`,
  );
  expect(options).toEqual([{ options: ['fillfactor=85'] }, { options: ['fillfactor=85'] }]);
  await listIndexesMigration.up(ctx.db);
  await close();
});
