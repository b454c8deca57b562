import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeEntry } from '@quire/testing';
import { openSearchableSite, untilSame, type SearchableSite } from './searchable-site.js';

let on: SearchableSite;
beforeAll(async () => {
  on = await openSearchableSite();
});
afterAll(() => on.site.close());

const stats = async () => (await on.admin.get('/search/stats')).data.collections;

describe('an entry', () => {
  it('is found from its publishing on, never before', async () => {
    const entry = await makeEntry(on.admin, 'posts', { title: 'Amaranth' });
    expect(await on.titles('amaranth')).toEqual([]);
    await entry.publish();
    await on.untilFound('amaranth', ['Amaranth']);
    expect(await on.suggestions('amar')).toEqual(['Amaranth']);
  });

  it('is found by its live text: a staged draft is not, until it is published', async () => {
    const entry = await makeEntry(on.admin, 'posts', { title: 'Buckwheat', body: 'before' });
    await entry.publish();
    await on.untilFound('buckwheat', ['Buckwheat']);
    await entry.put({ data: { body: 'afterwards' } });
    // Another entry that is found shows that the change before it has been seen.
    await on.publish({ title: 'Marker one' });
    await on.untilFound('marker', ['Marker one']);
    expect([await on.titles('afterwards'), await on.titles('"before"')]).toEqual([[], ['Buckwheat']]);
    await entry.publish();
    await on.untilFound('afterwards', ['Buckwheat']);
    expect(await on.titles('"before"')).toEqual([]);
  });

  it('is not found after it was unpublished, trashed or deleted, and is again when restored and published', async () => {
    const entry = await makeEntry(on.admin, 'posts', { title: 'Chickpea' });
    await entry.publish();
    await on.untilFound('chickpea', ['Chickpea']);
    await entry.unpublish();
    await on.untilFound('chickpea', []);
    await entry.publish();
    await on.untilFound('chickpea', ['Chickpea']);
    await entry.remove();
    await on.untilFound('chickpea', []);
    await entry.restore();
    await entry.publish();
    await on.untilFound('chickpea', ['Chickpea']);
    await entry.remove();
    await on.admin.delete(`${entry.path}/permanent`);
    await on.untilFound('chickpea', []);
    expect(await on.suggestions('chick')).toEqual([]);
  });

  it('that a statement of an operator changes is found as it is then', async () => {
    const id = await on.publish({ title: 'Durum' });
    await on.untilFound('durum', ['Durum']);
    await on.site.sql("UPDATE content_posts SET title = 'Emmer' WHERE id = $1", [id]);
    await on.untilFound('emmer', ['Emmer']);
    expect(await on.titles('durum')).toEqual([]);
  });

  it('of many that change at once is not forgotten', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, index) => on.publish({ title: `Farro ${index}` })));
    await on.untilFound(
      'farro',
      Array.from({ length: 30 }, (_, index) => `Farro ${index}`),
      { limit: '100' },
    );
  });
});

describe('entries that are too big to be read at once', () => {
  const titles = Array.from({ length: 12 }, (_, index) => `Gigantic ${index}`).sort();

  it('are all found, when they change together and after a rebuild', async () => {
    await on.site.sql(
      `INSERT INTO content_posts (id, slug, status, _locale, _translation_group, title, body)
       SELECT '01BIG' || lpad(n::text, 21, '0'), 'big-' || n, 'published', 'en', 'g' || n, 'Gigantic ' || n,
         (SELECT string_agg(md5(n::text || m::text), '') FROM generate_series(1, 30000) m)
       FROM generate_series(0, 11) n`,
    );
    await on.untilFound('gigantic', titles);
    expect((await on.admin.post('/search/rebuild', { collection: 'posts' })).status).toBe(200);
    expect((await on.titles('gigantic')).sort()).toEqual(titles);
  });
});

describe('a field', () => {
  it('is found in from when it is made searchable until it is not, or is gone', async () => {
    await on.publish({ title: 'Grits', secret: 'hominy' });
    await on.untilFound('grits', ['Grits']);
    const change = (searchable: boolean) =>
      on.admin.put('/schema/collections/posts/fields/secret', { searchable });
    expect((await change(true)).status).toBe(200);
    await on.untilFound('hominy', ['Grits']);
    await change(false);
    await on.untilFound('hominy', []);
    await change(true);
    await on.untilFound('hominy', ['Grits']);
    await on.admin.delete('/schema/collections/posts/fields/secret');
    await on.untilFound('hominy', []);
    expect(await on.titles('grits')).toEqual(['Grits']);
  });
});

describe('a collection', () => {
  const notes = [{ slug: 'name', type: 'string', searchable: true }] as const;

  it('that is hidden has no hits, and has them again when it is shown', async () => {
    await on.site.collection({ slug: 'notes', fields: [...notes] });
    await on.enable('notes');
    await on.publish({ name: 'Hemp' }, {}, 'notes');
    await on.untilFound('hemp', ['Hemp']);
    await on.admin.put('/schema/collections/notes', { hidden: true });
    await on.untilFound('hemp', []);
    expect(await on.titles('hemp', { collections: 'notes' })).toEqual([]);
    expect(await on.suggestions('hemp')).toEqual([]);
    await on.admin.put('/schema/collections/notes', { hidden: false });
    await on.untilFound('hemp', ['Hemp']);
  });

  it('that is deleted is gone from the search, and one of the same name begins anew', async () => {
    expect((await on.admin.delete('/schema/collections/notes?force=true')).status).toBe(200);
    await on.untilFound('hemp', []);
    await untilSame(async () => 'notes' in (await stats()), false);
    await on.site.collection({ slug: 'notes', fields: [...notes] });
    expect((await on.enable('notes')).data).toEqual({ collection: 'notes', enabled: true, indexed: 0 });
    await on.publish({ name: 'Hemp again' }, {}, 'notes');
    await on.untilFound('hemp', ['Hemp again']);
    await untilSame(async () => (await stats()).notes.indexed, 1);
  });
});
