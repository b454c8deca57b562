import { expect, it } from '@jest/globals';
import { openServiceTenant } from '@quire/testing';
import { draftTitlesMigration } from './0074-draft-titles.js';

type Sql = Parameters<typeof draftTitlesMigration.up>[0];

/** A collection whose title field is `headline`, one without a title field, and an old revision beside each draft. */
const before = {
  name: '0001-before',
  up: async (sql: Sql) => {
    await sql.query('CREATE TABLE collections (slug text, title_field text)');
    await sql.query("INSERT INTO collections VALUES ('news', 'headline'), ('people', NULL)");
    await sql.query('CREATE TABLE revisions (id text, collection text, data json)');
    for (const slug of ['news', 'people']) {
      await sql.query(`CREATE TABLE content_${slug} (id text, draft_revision_id text)`);
      await sql.query(
        `INSERT INTO content_${slug} VALUES ('${slug}-1', '${slug}-draft'), ('${slug}-2', NULL)`,
      );
    }
    await sql.query(`INSERT INTO revisions VALUES
      ('news-draft', 'news', '{"headline":"A","title":"no"}'), ('news-old', 'news', '{"headline":"B"}'),
      ('people-draft', 'people', '{"name":"Ann"}')`);
  },
};

it('draftTitlesMigration derives the titles of drafts, and of each revision that is written from then on', async () => {
  const tables = { tenant: [before, draftTitlesMigration], shared: [] };
  const { ctx, close } = await openServiceTenant('spec-of-draft-titles', 'spec-of-draft-titles', tables, []);
  const titles = async () => {
    const rows = await ctx.db.query<{ id: string; title: string | null }>('SELECT id, title FROM revisions');
    return Object.fromEntries(rows.map(({ id, title }) => [id, title]));
  };
  expect(await titles()).toEqual({ 'news-draft': 'A', 'news-old': null, 'people-draft': 'Ann' });
  await ctx.db.query(`INSERT INTO revisions (id, collection, data) VALUES
    ('long', 'news', json_build_object('headline', repeat('x', 5000))), ('none', 'people', '{}'),
    ('fallback', 'news', '{"title":"T"}'), ('of-nothing', 'gone', '{"title":"U"}')`);
  await ctx.db.query(`UPDATE revisions SET data = '{"title":"Both","name":"Ann"}' WHERE id = 'people-draft'`);
  expect(await titles()).toEqual({
    'news-draft': 'A',
    'news-old': null,
    'people-draft': 'Both',
    long: 'x'.repeat(1000),
    none: null,
    fallback: 'T',
    'of-nothing': 'U',
  });
  await close();
});
