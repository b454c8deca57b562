import { expect, it } from '@jest/globals';
import { openServiceTenant } from '@quire/testing';
import { createContentTable } from '../../schema/index.js';
import { editedIndexesMigration } from './0075-edited-indexes.js';

type Sql = Parameters<typeof editedIndexesMigration.up>[0];

const indexesOf = (sql: Sql) =>
  sql.query<{ definition: string }>(
    `SELECT indexdef AS definition FROM pg_indexes
     WHERE schemaname = current_schema() AND tablename = 'content_posts' AND indexdef LIKE '%_edited_at%' ORDER BY 1`,
  );
let made: { definition: string }[];

/** A collection of the former version. */
const before = {
  name: '0001-before',
  up: async (sql: Sql) => {
    await sql.query('CREATE TABLE collections (slug text)');
    await sql.query("INSERT INTO collections VALUES ('posts')");
    await createContentTable(sql, 'content_posts');
    made = await indexesOf(sql);
    for (const kind of ['status', 'changed'])
      await sql.query(`DROP INDEX "ix.content_posts._edited_at.${kind}"`);
  },
};

it('editedIndexesMigration gives tables of collections the indexes that new ones have', async () => {
  const tables = { tenant: [before, editedIndexesMigration], shared: [] };
  const { ctx, close } = await openServiceTenant(
    'spec-of-edited-indexes',
    'spec-of-edited-indexes',
    tables,
    [],
  );
  expect(made).toHaveLength(2);
  expect(await indexesOf(ctx.db)).toEqual(made);
  await close();
});
