import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry } from '@quire/testing';
import { openSearchableSite, waitUntilEqual, type SearchableSite } from './searchable-site.js';

let on: SearchableSite;
beforeAll(async () => {
  on = await openSearchableSite();
});
afterAll(() => on.site.close());

const stats = async () => (await on.admin.get('/search/stats')).data.collections;

describe('search index of an entry', () => {
  it('contains the entry only after its publication', async () => {
    const entry = await createEntry(on.admin, 'posts', { title: 'Amaranth' });
    expect(await on.titles('amaranth')).toEqual([]);
    await entry.publish();
    await on.waitUntilFound('amaranth', ['Amaranth']);
    expect(await on.suggestions('amar')).toEqual(['Amaranth']);
  });

  it('contains the live text, and a staged draft only after its publication', async () => {
    const entry = await createEntry(on.admin, 'posts', { title: 'Buckwheat', body: 'before' });
    await entry.publish();
    await on.waitUntilFound('buckwheat', ['Buckwheat']);
    await entry.put({ data: { body: 'afterwards' } });
    // Indexing is in order: when a later entry is found, the change before it has been processed.
    await on.publish({ title: 'Marker one' });
    await on.waitUntilFound('marker', ['Marker one']);
    expect([await on.titles('afterwards'), await on.titles('"before"')]).toEqual([[], ['Buckwheat']]);
    await entry.publish();
    await on.waitUntilFound('afterwards', ['Buckwheat']);
    expect(await on.titles('"before"')).toEqual([]);
  });

  it('drops the entry after unpublish, trash and delete, and contains it again after restore and publish', async () => {
    const entry = await createEntry(on.admin, 'posts', { title: 'Chickpea' });
    await entry.publish();
    await on.waitUntilFound('chickpea', ['Chickpea']);
    await entry.unpublish();
    await on.waitUntilFound('chickpea', []);
    await entry.publish();
    await on.waitUntilFound('chickpea', ['Chickpea']);
    await entry.remove();
    await on.waitUntilFound('chickpea', []);
    await entry.restore();
    await entry.publish();
    await on.waitUntilFound('chickpea', ['Chickpea']);
    await entry.remove();
    await on.admin.delete(`${entry.path}/permanent`);
    await on.waitUntilFound('chickpea', []);
    expect(await on.suggestions('chick')).toEqual([]);
  });

  it('follows changes made directly in the database', async () => {
    const id = await on.publish({ title: 'Durum' });
    await on.waitUntilFound('durum', ['Durum']);
    await on.site.sql("UPDATE content_posts SET title = 'Emmer' WHERE id = $1", [id]);
    await on.waitUntilFound('emmer', ['Emmer']);
    expect(await on.titles('durum')).toEqual([]);
  });

  it('contains all of many concurrently changed entries', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, index) => on.publish({ title: `Farro ${index}` })));
    await on.waitUntilFound(
      'farro',
      Array.from({ length: 30 }, (_, index) => `Farro ${index}`),
      { limit: '100' },
    );
  });
});

describe('entries too large to be read in one batch', () => {
  const titles = Array.from({ length: 12 }, (_, index) => `Gigantic ${index}`).sort();

  it('are all indexed after a change and after a rebuild', async () => {
    await on.site.sql(
      `INSERT INTO content_posts (id, slug, status, _locale, _translation_group, title, body)
       SELECT '01BIG' || lpad(n::text, 21, '0'), 'big-' || n, 'published', 'en', 'g' || n, 'Gigantic ' || n,
         (SELECT string_agg(md5(n::text || m::text), '') FROM generate_series(1, 30000) m)
       FROM generate_series(0, 11) n`,
    );
    await on.waitUntilFound('gigantic', titles);
    expect((await on.admin.post('/search/rebuild', { collection: 'posts' })).status).toBe(200);
    expect((await on.titles('gigantic')).sort()).toEqual(titles);
  });
});

describe('search index of a field', () => {
  it('contains the field only while it exists and is searchable', async () => {
    await on.publish({ title: 'Grits', secret: 'hominy' });
    await on.waitUntilFound('grits', ['Grits']);
    const change = (searchable: boolean) =>
      on.admin.put('/schema/collections/posts/fields/secret', { searchable });
    expect((await change(true)).status).toBe(200);
    await on.waitUntilFound('hominy', ['Grits']);
    await change(false);
    await on.waitUntilFound('hominy', []);
    await change(true);
    await on.waitUntilFound('hominy', ['Grits']);
    await on.admin.delete('/schema/collections/posts/fields/secret');
    await on.waitUntilFound('hominy', []);
    expect(await on.titles('grits')).toEqual(['Grits']);
  });
});

describe('search index of a collection', () => {
  const notes = [{ slug: 'name', type: 'string', searchable: true }] as const;

  it('has no hits while the collection is hidden', async () => {
    await on.site.collection({ slug: 'notes', fields: [...notes] });
    await on.enable('notes');
    await on.publish({ name: 'Hemp' }, {}, 'notes');
    await on.waitUntilFound('hemp', ['Hemp']);
    await on.admin.put('/schema/collections/notes', { hidden: true });
    await on.waitUntilFound('hemp', []);
    expect(await on.titles('hemp', { collections: 'notes' })).toEqual([]);
    expect(await on.suggestions('hemp')).toEqual([]);
    await on.admin.put('/schema/collections/notes', { hidden: false });
    await on.waitUntilFound('hemp', ['Hemp']);
  });

  it('is deleted with the collection; a new one with the same name starts empty', async () => {
    expect((await on.admin.delete('/schema/collections/notes?force=true')).status).toBe(200);
    await on.waitUntilFound('hemp', []);
    await waitUntilEqual(async () => 'notes' in (await stats()), false);
    await on.site.collection({ slug: 'notes', fields: [...notes] });
    expect((await on.enable('notes')).data).toEqual({ collection: 'notes', enabled: true, indexed: 0 });
    await on.publish({ name: 'Hemp again' }, {}, 'notes');
    await on.waitUntilFound('hemp', ['Hemp again']);
    await waitUntilEqual(async () => (await stats()).notes.indexed, 1);
  });
});
