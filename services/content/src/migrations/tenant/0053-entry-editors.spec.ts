import { expect, it } from '@jest/globals';
import { openServiceTenant } from '@quire/testing';
import { entryEditorsMigration } from './0053-entry-editors.js';

const before = {
  name: '0001-before',
  up: async (sql: Parameters<typeof entryEditorsMigration.up>[0]) => {
    await sql.query('CREATE TABLE content_posts (id text)');
    await sql.query("INSERT INTO content_posts VALUES ('old')");
    await sql.query('CREATE TABLE others (id text)');
  },
};

it('entryEditorsMigration adds the columns to tables with rows, and leaves their last edit unknown', async () => {
  const tables = { tenant: [before, entryEditorsMigration], shared: [] };
  const { ctx, close } = await openServiceTenant(
    'spec-of-entry-editors',
    'spec-of-entry-editors',
    tables,
    [],
  );
  await ctx.db.query("INSERT INTO content_posts (id) VALUES ('new')");
  expect(
    await ctx.db.query(
      'SELECT id, _edited_by AS by, _edited_at IS NULL AS unknown FROM content_posts ORDER BY id',
    ),
  ).toEqual([
    { id: 'new', by: null, unknown: false },
    { id: 'old', by: null, unknown: true },
  ]);
  expect(await ctx.db.query('SELECT * FROM others')).toEqual([]);
  await close();
});
