import { expect, it } from '@jest/globals';
import { openServiceTenant } from '@quire/testing';
import { termCountsMigration } from './0068-term-counts.js';

const before = {
  name: '0001-before',
  up: async (sql: Parameters<typeof termCountsMigration.up>[0]) => {
    await sql.query('CREATE TABLE entry_terms (entry_group text, term_group text, collection text)');
    await sql.query('CREATE INDEX entry_terms_term_group ON entry_terms (term_group, collection)');
    await sql.query('CREATE TABLE collections (slug text)');
    await sql.query(`INSERT INTO collections VALUES ('posts')`);
    await sql.query(
      'CREATE TABLE content_posts (_translation_group text, status text, deleted_at timestamptz)',
    );
    await sql.query('CREATE TABLE content_orphan (id text)');
  },
};

it('termCountsMigration indexes the published entries of collections, and leaves other tables as they are', async () => {
  const tables = { tenant: [before, termCountsMigration], shared: [] };
  const { ctx, close } = await openServiceTenant('spec-of-0068', 'spec-of-0068', tables, []);
  await ctx.db.transaction((tx) => termCountsMigration.up(tx));
  const indexes = await ctx.db.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, substring(indexdef FROM ' USING .*') AS definition FROM pg_indexes
     WHERE schemaname = current_schema() AND tablename <> '_migrations' ORDER BY 1`,
  );
  const published = `WHERE ((status = 'published'::text) AND (deleted_at IS NULL))`;
  expect(indexes).toEqual([
    { name: 'entry_terms_collection', definition: ' USING btree (collection, term_group)' },
    { name: 'entry_terms_term_entries', definition: ' USING btree (term_group, collection, entry_group)' },
    {
      name: 'ix.content_posts._group.published',
      definition: ` USING btree (_translation_group) ${published}`,
    },
  ]);
  await close();
});
