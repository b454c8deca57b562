import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusAndCode, useRowLock, useSite, type Client } from '@quire/testing';
import { createFieldCollection } from './support.js';

const site = useSite();
const rowLock = useRowLock(site);
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
});

describe('DELETE /schema/collections/{slug}/fields/{fieldSlug}', () => {
  it('deletes the field with its column and values', async () => {
    const { collection, path, indexes } = await createFieldCollection(
      site,
      { type: 'string', indexed: true, unique: true },
      ['a'],
    );
    const response = await admin.delete(`${collection}/fields/f`);
    expect([response.status, response.data]).toEqual([200, { success: true, deleted: true }]);
    expect(await indexes()).toEqual([]);
    expect((await admin.get(path)).data.items[0].data).toEqual({});
    expect(statusAndCode(await admin.delete(`${collection}/fields/f`))).toEqual([404, 'FIELD_NOT_FOUND']);
    expect(statusAndCode(await admin.delete('/schema/collections/nothing/fields/f'))).toEqual([
      404,
      'COLLECTION_NOT_FOUND',
    ]);
  });
  it('clears titleField and dateField', async () => {
    const { collection } = await createFieldCollection(site, { type: 'string' });
    await admin.post(`${collection}/fields`, { slug: 'day', label: 'Day', type: 'datetime' });
    await admin.put(collection, { titleField: 'f', dateField: 'day' });
    await admin.delete(`${collection}/fields/f`);
    expect((await admin.get(collection)).data.item).toMatchObject({ titleField: null, dateField: 'day' });
    await admin.delete(`${collection}/fields/day`);
    expect((await admin.get(collection)).data.item.dateField).toBeNull();
  });
  it('deletes the values from drafts and revisions, so that a new field of the same slug has none', async () => {
    const { collection, path } = await createFieldCollection(site, { type: 'string' });
    const g = { slug: 'g', label: 'G', type: 'json' };
    await admin.post(`${collection}/fields`, g);
    const value = { z: 1, a: [2] };
    const { item } = (await admin.post(path, { data: { f: 'one', g: value }, slug: 'one' })).data;
    await admin.post(`${path}/${item.id}/publish`);
    await admin.put(`${path}/${item.id}`, { data: { f: 'two' } });
    await admin.delete(`${collection}/fields/f`);
    await admin.post(`${collection}/fields`, { slug: 'f', label: 'F', type: 'integer' });
    expect((await admin.get(`${path}/${item.id}`)).data.item.data).toEqual({ g: value });
    const published = (await admin.post(`${path}/${item.id}/publish`)).data.item;
    expect(JSON.stringify(published.data)).toBe(JSON.stringify({ g: value }));
    const revisions = await site.sql<{ data: { f?: string } }>(
      'SELECT data FROM revisions WHERE entry_id = $1 ORDER BY id',
      [item.id],
    );
    expect(revisions.map(({ data }) => data.f)).toEqual([undefined, undefined]);
  });
  it('shows no values of many revisions at once, also in a new field of the same slug', async () => {
    const { collection, path, create } = await createFieldCollection(site, { type: 'string' });
    const { item } = (await create('first', { slug: 'first' })).data;
    const slug = path.replace('/content/', '');
    await site.sql(
      `INSERT INTO revisions (id, collection, entry_id, data)
       SELECT 'many-' || n, $1, $2, '{"f": "old", "_references": {"f": ["x"]}}' FROM generate_series(1000, 2999) n`,
      [slug, item.id],
    );
    await site.sql(`UPDATE content_${slug} SET draft_revision_id = 'many-2999'`);
    expect((await admin.delete(`${collection}/fields/f`)).status).toBe(200);
    const read = async () => ({
      entry: (await admin.get(`${path}/${item.id}`)).data.item.data,
      revision: (await admin.get('/revisions/many-2999')).data.item.data,
      listed: (await admin.get(`${path}/${item.id}/revisions?limit=1`)).data.items[0].data,
      compared: (await admin.get(`${path}/${item.id}/compare`)).data.draft,
    });
    const nothing = { entry: {}, revision: {}, listed: {}, compared: {} };
    expect(await read()).toEqual(nothing);
    expect((await admin.post(`${collection}/fields`, { slug: 'f', label: 'F', type: 'string' })).status).toBe(
      201,
    );
    expect(await read()).toEqual(nothing);
    await site.sql(`UPDATE revisions SET data = '{"_references": {"g": ["x"]}}' WHERE id = 'many-2998'`);
    expect((await admin.post(`/revisions/many-2998/restore`)).status).toBe(200);
    const { items } = (await admin.get(`${path}/${item.id}/revisions?limit=1`)).data;
    expect([items[0].data, items[0].references]).toEqual([{}, {}]);
    expect((await admin.post(`${path}/${item.id}/publish`)).data.item.data).toEqual({});
  });
  it('changes nothing when the database rejects the change', async () => {
    const { collection, path, snapshot } = await createFieldCollection(site, { type: 'string' }, ['a']);
    await site.sql(`CREATE VIEW watcher AS SELECT f FROM ${path.replace('/content/', 'content_')}`);
    const before = await snapshot();
    expect((await admin.delete(`${collection}/fields/f`)).status).toBe(500);
    expect(await snapshot()).toEqual(before);
    expect((await admin.get(path)).data.items[0].data).toEqual({ f: 'a' });
  });
});

describe('schema changes racing with writers', () => {
  it('succeed together with all writes', async () => {
    const { collection, create, path } = await createFieldCollection(site, { type: 'string' });
    const fields = ['a', 'b', 'c', 'd'].map((slug) =>
      admin.post(`${collection}/fields`, { slug, label: slug, type: 'string', indexed: true }),
    );
    const entries = Array.from({ length: 40 }, (_, index) => create(`value ${index}`));
    const responses = await Promise.all([...entries, ...fields]);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect((await admin.get(path)).data.total).toBe(40);
  });
  it('return 503 SERVICE_UNAVAILABLE with Retry-After while a writer holds a lock, and change nothing', async () => {
    const { collection, path, snapshot } = await createFieldCollection(site, { type: 'string' });
    const table = path.replace('/content/', 'content_');
    const before = await snapshot();
    await rowLock.acquire(`LOCK TABLE ${table} IN ROW EXCLUSIVE MODE`);
    const response = await admin.post(`${collection}/fields`, { slug: 'g', label: 'G', type: 'string' });
    expect(statusAndCode(response)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    await rowLock.release();
    expect(await snapshot()).toEqual(before);
  });
});
