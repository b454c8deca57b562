import { expect, it } from '@jest/globals';
import { openServiceTenant } from '@quire/testing';
import { slugNumbersMigration } from './0064-slug-numbers.js';

const before = {
  name: '0001-before',
  up: async (sql: Parameters<typeof slugNumbersMigration.up>[0]) => {
    await sql.query('CREATE TABLE content_posts (id text, slug text, _locale text)');
    await sql.query("INSERT INTO content_posts VALUES ('a', 'a-1', 'en'), ('b', 'a-1234567890123456', 'en')");
    await sql.query('CREATE TABLE content_orphan (id text, slug text)');
    await sql.query('CREATE TABLE "content_New" (id text, slug integer, _locale text)');
  },
};

it('slugNumbersMigration indexes numbered slugs of tables with rows, and skips tables without slugs', async () => {
  const name = 'spec-of-slug-numbers';
  const tables = { tenant: [before, slugNumbersMigration], shared: [] };
  const { ctx, close } = await openServiceTenant(name, name, tables, []);
  await slugNumbersMigration.up(ctx.db);
  const indexes = 'SELECT indexname AS name FROM pg_indexes WHERE schemaname = current_schema()';
  const created = (await ctx.db.query<{ name: string }>(indexes)).filter(({ name }) =>
    name.startsWith('ix.'),
  );
  expect(created).toEqual([{ name: 'ix.content_posts._slug_number.order' }]);
  await close();
});
