import { describe, expect, it } from '@jest/globals';
import { createEntry } from '@quire/testing';
import { useSearchableSite, waitUntilEqual } from './support.js';

const searchSite = useSearchableSite();

const stats = async () => (await searchSite.admin.get('/search/stats')).data.collections;

describe('search index of an entry', () => {
  it('contains the entry only after its publication', async () => {
    const entry = await createEntry(searchSite.admin, 'posts', { title: 'Amaranth' });
    expect(await searchSite.titles('amaranth')).toEqual([]);
    await entry.publish();
    await searchSite.waitUntilFound('amaranth', ['Amaranth']);
    expect(await searchSite.suggestions('amar')).toEqual(['Amaranth']);
  });

  it('contains the live text, and a staged draft only after its publication', async () => {
    const entry = await createEntry(searchSite.admin, 'posts', { title: 'Buckwheat', body: 'before' });
    await entry.publish();
    await searchSite.waitUntilFound('buckwheat', ['Buckwheat']);
    await entry.put({ data: { body: 'afterwards' } });
    // Indexing is in order: when a later entry is found, the change before it has been processed.
    await searchSite.publish({ title: 'Marker one' });
    await searchSite.waitUntilFound('marker', ['Marker one']);
    expect([await searchSite.titles('afterwards'), await searchSite.titles('"before"')]).toEqual([
      [],
      ['Buckwheat'],
    ]);
    await entry.publish();
    await searchSite.waitUntilFound('afterwards', ['Buckwheat']);
    expect(await searchSite.titles('"before"')).toEqual([]);
  });

  it('drops the entry after unpublish, trash and delete, and contains it again after restore and publish', async () => {
    const entry = await createEntry(searchSite.admin, 'posts', { title: 'Chickpea' });
    await entry.publish();
    await searchSite.waitUntilFound('chickpea', ['Chickpea']);
    await entry.unpublish();
    await searchSite.waitUntilFound('chickpea', []);
    await entry.publish();
    await searchSite.waitUntilFound('chickpea', ['Chickpea']);
    await entry.remove();
    await searchSite.waitUntilFound('chickpea', []);
    await entry.restore();
    await entry.publish();
    await searchSite.waitUntilFound('chickpea', ['Chickpea']);
    await entry.remove();
    await searchSite.admin.delete(`${entry.path}/permanent`);
    await searchSite.waitUntilFound('chickpea', []);
    expect(await searchSite.suggestions('chick')).toEqual([]);
  });

  it('follows changes made directly in the database', async () => {
    const id = await searchSite.publish({ title: 'Durum' });
    await searchSite.waitUntilFound('durum', ['Durum']);
    await searchSite.site.sql("UPDATE content_posts SET title = 'Emmer' WHERE id = $1", [id]);
    await searchSite.waitUntilFound('emmer', ['Emmer']);
    expect(await searchSite.titles('durum')).toEqual([]);
  });

  it('contains all of many concurrently changed entries', async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => searchSite.publish({ title: `Farro ${index}` })),
    );
    await searchSite.waitUntilFound(
      'farro',
      Array.from({ length: 30 }, (_, index) => `Farro ${index}`),
      { limit: '100' },
    );
  });
});

describe('entries too large to be read in one batch', () => {
  const titles = Array.from({ length: 12 }, (_, index) => `Gigantic ${index}`).sort();

  it('are all indexed after a change and after a rebuild', async () => {
    await searchSite.site.sql(
      `INSERT INTO content_posts (id, slug, status, _locale, _translation_group, title, body)
       SELECT '01BIG' || lpad(n::text, 21, '0'), 'big-' || n, 'published', 'en', 'g' || n, 'Gigantic ' || n,
         (SELECT string_agg(md5(n::text || m::text), '') FROM generate_series(1, 30000) m)
       FROM generate_series(0, 11) n`,
    );
    await searchSite.waitUntilFound('gigantic', titles);
    expect((await searchSite.admin.post('/search/rebuild', { collection: 'posts' })).status).toBe(200);
    expect((await searchSite.titles('gigantic')).sort()).toEqual(titles);
  });
});

describe('search index of a field', () => {
  it('contains the field only while it exists and is searchable', async () => {
    await searchSite.publish({ title: 'Grits', secret: 'hominy' });
    await searchSite.waitUntilFound('grits', ['Grits']);
    const change = (searchable: boolean) =>
      searchSite.admin.put('/schema/collections/posts/fields/secret', { searchable });
    expect((await change(true)).status).toBe(200);
    await searchSite.waitUntilFound('hominy', ['Grits']);
    await change(false);
    await searchSite.waitUntilFound('hominy', []);
    await change(true);
    await searchSite.waitUntilFound('hominy', ['Grits']);
    await searchSite.admin.delete('/schema/collections/posts/fields/secret');
    await searchSite.waitUntilFound('hominy', []);
    expect(await searchSite.titles('grits')).toEqual(['Grits']);
  });
});

describe('search index of a collection', () => {
  const notes = [{ slug: 'name', type: 'string', searchable: true }] as const;

  it('has no hits while the collection is hidden', async () => {
    await searchSite.site.collection({ slug: 'notes', fields: [...notes] });
    await searchSite.enable('notes');
    await searchSite.publish({ name: 'Hemp' }, {}, 'notes');
    await searchSite.waitUntilFound('hemp', ['Hemp']);
    await searchSite.admin.put('/schema/collections/notes', { hidden: true });
    await searchSite.waitUntilFound('hemp', []);
    expect(await searchSite.titles('hemp', { collections: 'notes' })).toEqual([]);
    expect(await searchSite.suggestions('hemp')).toEqual([]);
    await searchSite.admin.put('/schema/collections/notes', { hidden: false });
    await searchSite.waitUntilFound('hemp', ['Hemp']);
  });

  it('is deleted with the collection; a new one with the same name starts empty', async () => {
    expect((await searchSite.admin.delete('/schema/collections/notes?force=true')).status).toBe(200);
    await searchSite.waitUntilFound('hemp', []);
    await waitUntilEqual(async () => 'notes' in (await stats()), false);
    await searchSite.site.collection({ slug: 'notes', fields: [...notes] });
    expect((await searchSite.enable('notes')).data).toEqual({
      collection: 'notes',
      enabled: true,
      indexed: 0,
    });
    await searchSite.publish({ name: 'Hemp again' }, {}, 'notes');
    await searchSite.waitUntilFound('hemp', ['Hemp again']);
    await waitUntilEqual(async () => (await stats()).notes.indexed, 1);
  });
});
