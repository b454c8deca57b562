import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusAndCode } from '@quire/testing';
import { imageOf, mediaFields, UsageSite, useUsageSite } from './support.js';

const usageSite = useUsageSite();
let id: string;
beforeAll(async () => {
  await usageSite.site.collection({ slug: 'pages', fields: mediaFields });
  id = await usageSite.media();
});

const repair = (body?: unknown) => usageSite.admin.post('/admin/media-usage/repair', body);
const entryRows = () => usageSite.site.sql('SELECT * FROM media_usage_entries ORDER BY content_id');

describe('POST /admin/media-usage/repair', () => {
  it('returns the counts of one collection, with staged values as separate sources', async () => {
    const entry = await usageSite.entry({ hero: imageOf(id) }, { published: true });
    await entry.put({ data: { title: 'Staged' } });
    await usageSite.entry({});
    const response = await repair({ scope: 'collection', collection: 'posts' });
    const counts = {
      indexedSourceCount: 3,
      failedSourceCount: 0,
      skippedSourceCount: 0,
      deletedSourceCount: 0,
    };
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(response.status).toBe(200);
    expect(response.data).toEqual({
      status: 'complete',
      ...counts,
      collections: [
        {
          collection: 'posts',
          status: 'complete',
          ...counts,
          lastErrorCode: null,
          startedAt: time,
          completedAt: time,
        },
      ],
    });
  });

  it('repairs all collections by name and returns their sums', async () => {
    await usageSite.entry({ hero: imageOf(id) }, { collection: 'pages' });
    const { status, indexedSourceCount, collections } = await usageSite.repair();
    expect([status, indexedSourceCount]).toEqual(['complete', 4]);
    expect(collections.map((each: { collection: string }) => each.collection)).toEqual(['pages', 'posts']);
  });

  it('writes nothing when repeated', async () => {
    const before = await entryRows();
    const xmin = () =>
      usageSite.site.sql('SELECT xmin::text, content_id FROM media_usage_entries ORDER BY content_id');
    const rows = await xmin();
    await usageSite.repair();
    expect(await entryRows()).toEqual(before);
    expect(await xmin()).toEqual(rows);
  });

  it('removes deleted entries from the index and counts them', async () => {
    // Inserted directly: the worker could correct the index before the repair does.
    await usageSite.site.sql(
      `INSERT INTO media_usage_entries (collection_id, content_id, collection_slug, locale, status, digest)
       SELECT id, '01DELETED', slug, 'en', 'draft', '' FROM collections WHERE slug = 'posts'`,
    );
    await usageSite.site.sql(
      `INSERT INTO media_usage_sources (collection_id, content_id, media_id, variant, occurrences, counts)
       SELECT id, '01DELETED', $1, 'columns', '[]', true FROM collections WHERE slug = 'posts'`,
      [id],
    );
    expect(await usageSite.countOf(id)).toBe(3);
    expect(await usageSite.repair('posts')).toMatchObject({ status: 'complete', deletedSourceCount: 1 });
    expect(await usageSite.countOf(id)).toBe(2);
  });

  it('corrects wrong index rows', async () => {
    const before = await entryRows();
    await usageSite.site.sql("UPDATE media_usage_entries SET title = 'wrong', digest = 'wrong'");
    await usageSite.site.sql(
      'DELETE FROM media_usage_sources WHERE collection_id = (SELECT max(collection_id) FROM media_usage_sources)',
    );
    await usageSite.repair();
    expect(await entryRows()).toEqual(before);
    expect(await usageSite.countOf(id)).toBe(2);
  });

  it('repairs more entries than fit into one batch', async () => {
    const own = await UsageSite.open();
    const item = await own.media();
    await own.site.sql(
      `INSERT INTO content_posts (id, _locale, _translation_group, title, hero)
       SELECT '01BULK' || lpad(n::text, 20, '0'), 'en', 'g' || n, 'Bulk ' || n, json_build_object('provider', 'local', 'id', $1::text)::jsonb
       FROM generate_series(1, 1001) n`,
      [item],
    );
    expect(await own.repair()).toMatchObject({ status: 'complete', indexedSourceCount: 1001 });
    expect(await own.countOf(item)).toBe(1001);
    // Without its triggers the table reports no change, so that only the repair detects it.
    await own.site.sql('ALTER TABLE content_posts DISABLE TRIGGER USER');
    await own.site.sql("DELETE FROM content_posts WHERE right(id, 1) <> '7'");
    expect(await own.repair()).toMatchObject({ indexedSourceCount: 100, deletedSourceCount: 901 });
    await own.close();
  });

  it('repairs large entries in smaller batches', async () => {
    const own = await UsageSite.open();
    const item = await own.media();
    await own.site.sql(
      `INSERT INTO content_posts (id, _locale, _translation_group, title, body)
       SELECT '01BIG' || lpad(n::text, 21, '0'), 'en', 'g' || n, 'Big ' || n, json_build_array(
         json_build_object('_type', 'image', 'asset', json_build_object('_ref', $1::text)),
         json_build_object('_type', 'x', 'x', (SELECT string_agg(md5(n::text || m::text), '') FROM generate_series(1, 20000) m)))::jsonb
       FROM generate_series(1, 8) n`,
      [item],
    );
    expect(await own.repair()).toMatchObject({ status: 'complete', indexedSourceCount: 8 });
    expect(await own.countOf(item)).toBe(8);
    await own.close();
  });

  it('leaves a correct index when 4 requests race', async () => {
    const responses = await Promise.all([1, 2, 3, 4].map(() => repair({ scope: 'all' })));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    // For each collection the request that began last completed; it can be another one for each collection.
    const repaired = responses.flatMap(
      ({ data }) => data.collections as { collection: string; status: string }[],
    );
    const complete = repaired.filter(({ status }) => status === 'complete');
    expect(new Set(complete.map(({ collection }) => collection))).toEqual(
      new Set(repaired.map(({ collection }) => collection)),
    );
    expect(await usageSite.repair()).toMatchObject({ status: 'complete' });
    expect(await usageSite.countOf(id)).toBe(2);
  });

  it('returns 404 COLLECTION_NOT_FOUND for an unknown collection', async () => {
    expect(statusAndCode(await repair({ scope: 'collection', collection: 'nothing' }))).toEqual([
      404,
      'COLLECTION_NOT_FOUND',
    ]);
  });

  it.each([
    {},
    [],
    { scope: 'some' },
    { scope: 'collection' },
    { scope: 'collection', collection: '' },
    { scope: 'collection', collection: 'x'.repeat(64) },
    { scope: 'collection', collection: 7 },
    { scope: 'all', collection: 'posts' },
    { scope: 'all', force: true },
  ])('returns 400 for the body %j', async (body) => {
    expect(statusAndCode(await repair(body))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('does not change the index of another site', async () => {
    const other = await UsageSite.open();
    await other.repair();
    expect(await usageSite.countOf(id)).toBe(2);
    await other.close();
  });
});
