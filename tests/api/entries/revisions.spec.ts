import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client, type TestEntry } from '@quire/testing';
import { createExactEntry } from './support.js';

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

const create = (collection?: string, data?: object) => createExactEntry(admin, collection, data);
const revisionsOf = async ({ path }: TestEntry, query = '') =>
  (await admin.get(`${path}/revisions${query}`)).data as { items: Revision[]; total: number };

const restore = (id: string) => admin.post(`/revisions/${id}/restore`);

describe('GET /content/{collection}/{id}/revisions', () => {
  it('returns revisions, newest first, with their authors and the total', async () => {
    const entry = await create();
    for (const body of ['one', 'two', 'three']) await entry.put({ data: { body } });
    const { items, total } = await revisionsOf(entry);
    expect(total).toBe(3);
    expect(items.map(({ data }) => data)).toEqual(
      ['three', 'two', 'one'].map((body) => ({ title: 'Entry', body })),
    );
    expect(items[0]).toEqual({
      id: (await entry.get()).item.draftRevisionId,
      collection: 'posts',
      entryId: entry.id,
      data: { title: 'Entry', body: 'three' },
      authorId: entry.item.authorId,
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
  });
  it('returns a staged slug as _slug', async () => {
    const entry = await create();
    await entry.put({ slug: 'staged-here' });
    expect((await revisionsOf(entry)).items[0]?.data).toEqual({
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
  ])('clamps limit=%s to 1..100 and returns %d of 3', async (limit, length) => {
    const entry = await create();
    for (const body of ['one', 'two', 'three']) await entry.put({ data: { body } });
    const { items, total } = await revisionsOf(entry, `?limit=${limit}`);
    expect([items.length, total]).toEqual([length, 3]);
  });
  it('accepts the slug of the entry, and returns 404 NOT_FOUND for an unknown or trashed one', async () => {
    const entry = await create('posts', { title: 'With a slug of its own' });
    await entry.put({ data: { body: 'x' } });
    expect((await admin.get('/content/posts/with-a-slug-of-its-own/revisions')).data.total).toBe(1);
    await admin.delete(entry.path);
    expect(statusAndCode(await admin.get(`${entry.path}/revisions`))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await admin.get('/content/posts/none/revisions'))).toEqual([404, 'NOT_FOUND']);
  });
  it('returns only the draft on a collection without revisions', async () => {
    const entry = await create('drafted');
    await entry.publish();
    for (const body of ['one', 'two']) await entry.put({ data: { body } });
    const { items, total } = await revisionsOf(entry);
    expect([items.length, total, items[0]?.data['body']]).toEqual([1, 1, 'two']);
    await entry.publish();
    expect((await revisionsOf(entry)).total).toBe(0);
  });
});

describe('GET /revisions/{id}', () => {
  it('returns a revision', async () => {
    const entry = await create();
    await entry.put({ data: { body: 'x' } });
    const [revision] = (await revisionsOf(entry)).items;
    expect((await admin.get(`/revisions/${revision?.id ?? ''}`)).data).toEqual({ item: revision });
  });
  it.each(['01ARZ3NDEKTSV4RRFFQ69G5FAV', 'none', "x'--"])('returns 404 NOT_FOUND for %s', async (id) => {
    expect(statusAndCode(await admin.get(`/revisions/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await restore(id))).toEqual([404, 'NOT_FOUND']);
  });
  it('returns 400 or 404 for U+0000', async () => {
    for (const response of [await admin.get('/revisions/%00'), await restore('%00')])
      expect([400, 404]).toContain(response.status);
  });
});

describe('POST /revisions/{id}/restore', () => {
  it('stages the values as a new draft of a published entry', async () => {
    const entry = await create();
    await entry.put({ data: { body: 'first' } });
    await entry.publish();
    await entry.put({ data: { body: 'second', title: null } });
    await entry.publish();
    const before = await revisionsOf(entry);
    const first = before.items.find(({ data }) => data['body'] === 'first');
    const { item, _rev } = (await restore(first?.id ?? '')).data;
    expect(item).toMatchObject({
      status: 'published',
      data: { title: 'Entry', body: 'first' },
      liveData: { body: 'second' },
    });
    expect(typeof _rev).toBe('string');
    const after = await revisionsOf(entry);
    expect(after.total).toBe(before.total + 1);
    expect(after.items[0]).toMatchObject({
      id: item.draftRevisionId,
      data: { title: 'Entry', body: 'first' },
    });
    expect((await entry.publish()).data.item.data).toEqual({ title: 'Entry', body: 'first' });
  });
  it('stages the slug of the revision', async () => {
    const entry = await create();
    await entry.put({ slug: 'old-plan', data: { body: 'x' } });
    const [revision] = (await revisionsOf(entry)).items;
    await entry.put({ slug: 'new-plan' });
    await restore(revision?.id ?? '');
    expect((await entry.publish()).data.item.slug).toBe('old-plan');
  });
  it('omits values of deleted fields', async () => {
    await site.collection({
      slug: 'shrinking',
      fields: [
        { slug: 'title', type: 'string' },
        { slug: 'deleted', type: 'string' },
      ],
    });
    const entry = await create('shrinking', { title: 'T', deleted: 'd' });
    await entry.put({ data: { title: 'T2' } });
    const [revision] = (await revisionsOf(entry)).items;
    await admin.delete('/schema/collections/shrinking/fields/deleted');
    await entry.put({ data: { title: 'T3' } });
    expect((await restore(revision?.id ?? '')).data.item.data).toEqual({ title: 'T2' });
  });
  it('returns 400 INVALID_REVISION when no value fits the collection', async () => {
    const entry = await create();
    await entry.put({ data: { body: 'x' } });
    const [revision] = (await revisionsOf(entry)).items;
    await site.sql(`UPDATE revisions SET data = '{"foreign":"x"}' WHERE id = $1`, [revision?.id]);
    expect(statusAndCode(await restore(revision?.id ?? ''))).toEqual([400, 'INVALID_REVISION']);
  });
  it('returns 400 VALIDATION_ERROR naming values that the fields no longer accept', async () => {
    await site.collection({ slug: 'narrowed' });
    const entry = await create('narrowed');
    await entry.put({ data: { title: 'far too long' } });
    const [revision] = (await revisionsOf(entry)).items;
    await entry.put({ data: { title: 'ok' } });
    expect(
      (await admin.put('/schema/collections/narrowed/fields/title', { validation: { maxLength: 5 } })).status,
    ).toBe(200);
    const response = await restore(revision?.id ?? '');
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', 'title']);
    expect((await entry.get()).item.data.title).toBe('ok');
  });
  it('returns 404 NOT_FOUND for a trashed entry', async () => {
    const entry = await create();
    await entry.put({ data: { body: 'x' } });
    const [revision] = (await revisionsOf(entry)).items;
    await admin.delete(entry.path);
    expect(statusAndCode(await restore(revision?.id ?? ''))).toEqual([404, 'NOT_FOUND']);
  });
  it('returns 404 NOT_FOUND after the permanent deletion of the entry', async () => {
    const entry = await create();
    await entry.put({ data: { body: 'x' } });
    const [revision] = (await revisionsOf(entry)).items;
    await admin.delete(entry.path);
    await admin.delete(`${entry.path}/permanent`);
    expect(statusAndCode(await restore(revision?.id ?? ''))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await admin.get(`/revisions/${revision?.id ?? ''}`))).toEqual([404, 'NOT_FOUND']);
  });
  it('replaces the draft on a collection without revisions', async () => {
    const entry = await create('drafted');
    await entry.publish();
    await entry.put({ data: { body: 'staged' } });
    const [revision] = (await revisionsOf(entry)).items;
    const { item } = (await restore(revision?.id ?? '')).data;
    expect(item).toMatchObject({ data: { body: 'staged' }, liveData: { body: 'old' } });
    expect((await revisionsOf(entry)).total).toBe(1);
  });
  it('creates a revision for each of 20 racing requests', async () => {
    const entry = await create();
    await entry.put({ data: { body: 'x' } });
    const [revision] = (await revisionsOf(entry)).items;
    const responses = await Promise.all(Array.from({ length: 20 }, () => restore(revision?.id ?? '')));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await revisionsOf(entry)).total).toBe(21);
  });
});

describe('PUT /content/{collection}/{id} with skipRevision', () => {
  it('replaces the former draft in the history', async () => {
    const entry = await create();
    await entry.put({ data: { title: 'One' } });
    const before = (await admin.get(`${entry.path}/revisions`)).data;
    const { item } = (await entry.put({ data: { title: 'Two' }, skipRevision: true })).data;
    const after = (await admin.get(`${entry.path}/revisions`)).data;
    expect([before.total, after.total]).toEqual([1, 1]);
    expect(after.items[0]).toMatchObject({ id: item.draftRevisionId, data: { title: 'Two', body: 'old' } });
  });
  it('keeps the live revision', async () => {
    const entry = await create();
    const live = (await entry.publish()).data.item.liveRevisionId;
    await entry.put({ data: { title: 'One' }, skipRevision: true });
    await entry.put({ data: { title: 'Two' }, skipRevision: true });
    const { items } = (await admin.get(`${entry.path}/revisions`)).data;
    expect(items.map(({ id }: { id: string }) => id)).toContain(live);
    expect(items).toHaveLength(2);
  });
});

describe('the history of an entry', () => {
  it('keeps the live revision, the draft and the newest others, 50 in all', async () => {
    const entry = await create();
    const live = (await entry.publish()).data.item.liveRevisionId as string;
    for (let count = 1; count <= 55; count += 1) await entry.put({ data: { body: `draft ${count}` } });
    const { items, total } = (await admin.get(`${entry.path}/revisions?limit=100`)).data as {
      items: { id: string; data: { body: string } }[];
      total: number;
    };
    expect([items.length, total]).toEqual([50, 50]);
    expect(items.at(-1)?.id).toBe(live);
    expect(items[0]).toMatchObject({
      id: (await entry.get()).item.draftRevisionId,
      data: { body: 'draft 55' },
    });
    expect(items.at(-2)?.data.body).toBe('draft 7');
    expect((await admin.post(`${entry.path}/discard-draft`)).data.item.data).toEqual({
      title: 'Entry',
      body: 'old',
    });
  });
});
