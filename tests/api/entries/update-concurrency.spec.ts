import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusAndCode, useSite, type Client, type FieldInput } from '@quire/testing';
import { createExactEntry, textFields } from './support.js';

const site = useSite();
let admin: Client;

/** As many fields as concurrent requests, so that each request can write its own. */
const wide: FieldInput[] = Array.from({ length: 20 }, (_, index) => ({ slug: `f${index}`, type: 'string' }));

beforeAll(async () => {
  admin = await site.as('admin');
  const fields = [...textFields, ...wide];
  await site.collection({ fields });
  await site.collection({ slug: 'drafted', supports: ['drafts'], fields });
  await site.collection({ slug: 'plain', supports: [], fields });
});

const create = (collection: string) => createExactEntry(admin, collection);

describe('PUT /content/{collection}/{id} with _rev', () => {
  it('returns 200 and a new _rev for the current one', async () => {
    const entry = await create('posts');
    const { _rev } = await entry.get();
    const response = await entry.put({ data: { title: 'Current' }, _rev });
    expect([response.status, response.data?._rev === _rev]).toEqual([200, false]);
  });
  it('returns 409 CONFLICT and writes nothing for a stale or malformed one', async () => {
    for (const collection of ['posts', 'plain']) {
      const entry = await create(collection);
      const { _rev } = await entry.get();
      await entry.put({ data: { title: 'First' } });
      for (const token of [_rev, 'x', 'MTo=', '!', ' ']) {
        expect(statusAndCode(await entry.put({ data: { title: 'Second' }, _rev: token }))).toEqual([
          409,
          'CONFLICT',
        ]);
      }
      expect((await entry.get()).item.data.title).toBe('First');
    }
  });
  it('writes unconditionally for an absent or empty one', async () => {
    const entry = await create('posts');
    expect((await entry.put({ data: { title: 'A' } })).status).toBe(200);
    expect((await entry.put({ data: { title: 'B' }, _rev: '' })).status).toBe(200);
  });
  it.each(['posts', 'drafted', 'plain'])(
    'returns 200 to one of 20 racing requests: %s',
    async (collection) => {
      const entry = await create(collection);
      const { _rev, item } = await entry.get();
      const responses = await Promise.all(wide.map(({ slug }) => entry.put({ data: { [slug]: 'x' }, _rev })));
      expect(responses.map(({ status }) => status).sort()).toEqual([
        200,
        ...Array.from({ length: 19 }, () => 409),
      ]);
      expect(responses.filter(({ error }) => error.code === 'CONFLICT')).toHaveLength(19);
      const after = (await entry.get()).item;
      expect(after.version).toBe(item.version + 1);
      expect(Object.keys(after.data)).toHaveLength(3);
    },
  );
});

describe('20 racing PUT /content/{collection}/{id} without _rev', () => {
  it.each([
    ['a draft with revisions', 'posts', false],
    ['a published entry with revisions', 'posts', true],
    ['a published entry with drafts alone', 'drafted', true],
    ['a published entry with neither', 'plain', true],
  ])('return 200 and lose no change: %s', async (_name, collection, isPublished) => {
    const entry = await create(collection);
    if (isPublished) await entry.publish();
    const before = (await entry.get()).item;
    const responses = await Promise.all(
      wide.map(({ slug }) => entry.put({ data: { [slug]: `by ${slug}` } })),
    );
    expect(responses.map(({ status }) => status)).toEqual(wide.map(() => 200));
    const after = (await entry.get()).item;
    expect(after.version).toBe(before.version + 20);
    expect(after.data).toEqual({
      ...before.data,
      ...Object.fromEntries(wide.map(({ slug }) => [slug, `by ${slug}`])),
    });
    expect(new Set(responses.map(({ data }) => data._rev as string)).size).toBe(20);
  });
});
