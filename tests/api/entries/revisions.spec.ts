import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;

interface Revision {
  id: string;
  data: Record<string, unknown>;
  [key: string]: unknown;
}

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection();
  await site.collection({ slug: 'drafted', supports: ['drafts'] });
  await site.collection({ slug: 'plain', supports: [] });
});

async function create(collection = 'posts', data: object = { title: 'Entry', body: 'old' }) {
  const { item } = (await admin.post(`/content/${collection}`, { data })).data;
  const path = `/content/${collection}/${item.id}`;
  return {
    id: item.id as string,
    authorId: item.authorId as string,
    path,
    get: async () => (await admin.get(path)).data.item,
    put: (body: object) => admin.put(path, body),
    publish: () => admin.post(`${path}/publish`),
    revisions: async (query = '') =>
      (await admin.get(`${path}/revisions${query}`)).data as { items: Revision[]; total: number },
  };
}

const restore = (id: string) => admin.post(`/revisions/${id}/restore`);

describe('the revisions of an entry', () => {
  it('are listed newest first with their total, each with who made it', async () => {
    const entry = await create();
    for (const body of ['one', 'two', 'three']) await entry.put({ data: { body } });
    const { items, total } = await entry.revisions();
    expect(total).toBe(3);
    expect(items.map(({ data }) => data)).toEqual(
      ['three', 'two', 'one'].map((body) => ({ title: 'Entry', body })),
    );
    expect(items[0]).toEqual({
      id: (await entry.get()).draftRevisionId,
      collection: 'posts',
      entryId: entry.id,
      data: { title: 'Entry', body: 'three' },
      authorId: entry.authorId,
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
  });
  it('hold a staged slug as _slug', async () => {
    const entry = await create();
    await entry.put({ slug: 'staged-here' });
    expect((await entry.revisions()).items[0]?.data).toEqual({
      title: 'Entry',
      body: 'old',
      _slug: 'staged-here',
    });
  });
  it.each([
    ['0', 1],
    ['-5', 1],
    ['2', 2],
    ['1000', 3],
    ['abc', 3],
  ])('are limited by %s, clamped to 1..100, to %d of three', async (limit, length) => {
    const entry = await create();
    for (const body of ['one', 'two', 'three']) await entry.put({ data: { body } });
    const { items, total } = await entry.revisions(`?limit=${limit}`);
    expect([items.length, total]).toEqual([length, 3]);
  });
  it('are found by the slug of the entry, and answer 404 NOT_FOUND for an unknown or trashed one', async () => {
    const entry = await create('posts', { title: 'With a slug of its own' });
    await entry.put({ data: { body: 'x' } });
    expect((await admin.get('/content/posts/with-a-slug-of-its-own/revisions')).data.total).toBe(1);
    await admin.delete(entry.path);
    expect(statusAndCode(await admin.get(`${entry.path}/revisions`))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await admin.get('/content/posts/none/revisions'))).toEqual([404, 'NOT_FOUND']);
  });
  it('of collections without revisions are none but the draft', async () => {
    const entry = await create('drafted');
    await entry.publish();
    for (const body of ['one', 'two']) await entry.put({ data: { body } });
    const { items, total } = await entry.revisions();
    expect([items.length, total, items[0]?.data['body']]).toEqual([1, 1, 'two']);
    await entry.publish();
    expect((await entry.revisions()).total).toBe(0);
  });
});

describe('one revision', () => {
  it('is returned by its id', async () => {
    const entry = await create();
    await entry.put({ data: { body: 'x' } });
    const [revision] = (await entry.revisions()).items;
    expect((await admin.get(`/revisions/${revision?.id ?? ''}`)).data).toEqual({ item: revision });
  });
  it.each(['01ARZ3NDEKTSV4RRFFQ69G5FAV', 'none', "x'--"])('answers 404 NOT_FOUND for %s', async (id) => {
    expect(statusAndCode(await admin.get(`/revisions/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await restore(id))).toEqual([404, 'NOT_FOUND']);
  });
  it('answers 400 or 404 for U+0000', async () => {
    for (const response of [await admin.get('/revisions/%00'), await restore('%00')])
      expect([400, 404]).toContain(response.status);
  });
});

describe('restoring a revision', () => {
  it('stages its values as a new draft of a published entry; live unchanged, history not cut', async () => {
    const entry = await create();
    await entry.put({ data: { body: 'first' } });
    await entry.publish();
    await entry.put({ data: { body: 'second', title: null } });
    await entry.publish();
    const before = await entry.revisions();
    const first = before.items.find(({ data }) => data['body'] === 'first');
    const { item, _rev } = (await restore(first?.id ?? '')).data;
    expect(item).toMatchObject({
      status: 'published',
      data: { title: 'Entry', body: 'first' },
      liveData: { body: 'second' },
    });
    expect(typeof _rev).toBe('string');
    const after = await entry.revisions();
    expect(after.total).toBe(before.total + 1);
    expect(after.items[0]).toMatchObject({
      id: item.draftRevisionId,
      data: { title: 'Entry', body: 'first' },
    });
    expect((await entry.publish()).data.item.data).toEqual({ title: 'Entry', body: 'first' });
  });
  it('stages a slug that was staged with them', async () => {
    const entry = await create();
    await entry.put({ slug: 'old-plan', data: { body: 'x' } });
    const [revision] = (await entry.revisions()).items;
    await entry.put({ slug: 'new-plan' });
    await restore(revision?.id ?? '');
    expect((await entry.publish()).data.item.slug).toBe('old-plan');
  });
  it('leaves out values of fields that are gone, and keeps them of fields that are there', async () => {
    await site.collection({
      slug: 'shrinking',
      fields: [
        { slug: 'title', type: 'string' },
        { slug: 'gone', type: 'string' },
      ],
    });
    const entry = await create('shrinking', { title: 'T', gone: 'g' });
    await entry.put({ data: { title: 'T2' } });
    const [revision] = (await entry.revisions()).items;
    await admin.delete('/schema/collections/shrinking/fields/gone');
    await entry.put({ data: { title: 'T3' } });
    expect((await restore(revision?.id ?? '')).data.item.data).toEqual({ title: 'T2' });
  });
  it('answers 400 INVALID_REVISION when nothing in it fits the collection', async () => {
    const entry = await create();
    await entry.put({ data: { body: 'x' } });
    const [revision] = (await entry.revisions()).items;
    await site.sql(`UPDATE revisions SET data = '{"foreign":"x"}' WHERE id = $1`, [revision?.id]);
    expect(statusAndCode(await restore(revision?.id ?? ''))).toEqual([400, 'INVALID_REVISION']);
  });
  it('answers 400 VALIDATION_ERROR naming the values that the fields no longer take', async () => {
    await site.collection({ slug: 'narrowed' });
    const entry = await create('narrowed');
    await entry.put({ data: { title: 'far too long' } });
    const [revision] = (await entry.revisions()).items;
    await entry.put({ data: { title: 'ok' } });
    expect(
      (await admin.put('/schema/collections/narrowed/fields/title', { validation: { maxLength: 5 } })).status,
    ).toBe(200);
    const response = await restore(revision?.id ?? '');
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', 'title']);
    expect((await entry.get()).data.title).toBe('ok');
  });
  it('is 404 NOT_FOUND for a trashed entry', async () => {
    const entry = await create();
    await entry.put({ data: { body: 'x' } });
    const [revision] = (await entry.revisions()).items;
    await admin.delete(entry.path);
    expect(statusAndCode(await restore(revision?.id ?? ''))).toEqual([404, 'NOT_FOUND']);
  });
  it('is 404 NOT_FOUND after the entry is gone for good', async () => {
    const entry = await create();
    await entry.put({ data: { body: 'x' } });
    const [revision] = (await entry.revisions()).items;
    await admin.delete(entry.path);
    await admin.delete(`${entry.path}/permanent`);
    expect(statusAndCode(await restore(revision?.id ?? ''))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await admin.get(`/revisions/${revision?.id ?? ''}`))).toEqual([404, 'NOT_FOUND']);
  });
  it('replaces the draft on a collection with drafts alone', async () => {
    const entry = await create('drafted');
    await entry.publish();
    await entry.put({ data: { body: 'staged' } });
    const [revision] = (await entry.revisions()).items;
    const { item } = (await restore(revision?.id ?? '')).data;
    expect(item).toMatchObject({ data: { body: 'staged' }, liveData: { body: 'old' } });
    expect((await entry.revisions()).total).toBe(1);
  });
  it('loses no update when 20 requests race', async () => {
    const entry = await create();
    await entry.put({ data: { body: 'x' } });
    const [revision] = (await entry.revisions()).items;
    const responses = await Promise.all(Array.from({ length: 20 }, () => restore(revision?.id ?? '')));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await entry.revisions()).total).toBe(21);
  });
});
