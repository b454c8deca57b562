import { beforeAll, describe, expect, it } from '@jest/globals';
import { idsOf, issuePaths, openSite, statusAndCode, useSite, walkPages, type Client } from '@quire/testing';
import { createVariedEntries, variedFields, fieldFilters, type ListedEntry } from './support.js';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection({ slug: 'posts', fields: variedFields });
  await site.collection({ slug: 'others', fields: variedFields });
  await createVariedEntries(admin);
});

const list = (query: string, client = admin) => client.get(`/content/posts?${query}`);

describe('GET /content/{collection}', () => {
  it('returns the newest entries first, with the total', async () => {
    const { data } = await list('');
    expect(data.items).toHaveLength(30);
    expect(data.total).toBe(30);
    expect(data).not.toHaveProperty('nextCursor');
    const created = data.items.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(created).toEqual([...created].sort().reverse());
  });
  it('returns entries with live values, without references, liveData and _rev', async () => {
    await site.collection({ slug: 'bare' });
    const { item } = (await admin.post('/content/bare', { data: { title: 'Live' } })).data;
    await admin.put(`/content/bare/${item.id}`, { data: { title: 'Staged' } });
    const { items, ...page } = (await admin.get('/content/bare')).data;
    expect(page).toEqual({ total: 1 });
    expect(items[0].data).toEqual({ title: 'Live' });
    for (const key of ['references', 'liveData', '_rev']) expect(items[0]).not.toHaveProperty(key);
  });
  it('returns an empty list for an empty collection', async () => {
    expect((await admin.get('/content/others')).data).toEqual({ items: [], total: 0 });
  });
  it.each(['limit=0', 'limit=101', 'limit=-1', 'limit=abc', 'limit=1.5', 'limit=', 'limit=1e9'])(
    'returns 400 for %s',
    async (query) => {
      const response = await list(query);
      expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([
        400,
        'VALIDATION_ERROR',
        'limit',
      ]);
    },
  );
  it('accepts the limits 1 and 100, and uses the last of repeated ones', async () => {
    expect((await list('limit=1')).data.items).toHaveLength(1);
    expect((await list('limit=100')).data.items).toHaveLength(30);
    expect((await list('limit=5&limit=2')).data.items).toHaveLength(2);
  });
});

const orders: [string, (item: ListedEntry) => unknown][] = [
  ['createdAt', (item) => item['createdAt']],
  ['updatedAt', (item) => item['updatedAt']],
  ['publishedAt', (item) => item['publishedAt']],
  ['scheduledAt', (item) => item['scheduledAt']],
  ['deletedAt', () => null],
  ['slug', ({ slug }) => slug],
  ['status', (item) => item['status']],
  ['locale', (item) => item['locale']],
  ['title', ({ data }) => data['title']],
  ['rank', ({ data }) => data['rank']],
  ['price', ({ data }) => data['price']],
  ['starts', ({ data }) => data['starts']],
  ['active', ({ data }) => data['active']],
  ['kind', ({ data }) => data['kind']],
  ['link', ({ data }) => data['link']],
];

describe.each(orders)('GET /content/{collection} with orderBy=%s', (orderBy, keyOf) => {
  it.each(['asc', 'desc'])(
    '%s returns each entry once for any page size; nulls are first ascending, last descending',
    async (order) => {
      const whole = (await list(`orderBy=${orderBy}&order=${order}&limit=100`)).data.items as ListedEntry[];
      expect(whole).toHaveLength(30);
      for (const limit of orderBy === 'rank' ? [1, 2, 15] : [4, 15]) {
        expect(
          idsOf(await walkPages(admin, `/content/posts?orderBy=${orderBy}&order=${order}&limit=${limit}`)),
        ).toEqual(idsOf(whole));
      }
      const keys = whole.map((item) => keyOf(item) ?? null);
      const isNull = keys.map((key) => key === null);
      expect(isNull).toEqual(order === 'asc' ? [...isNull].sort().reverse() : [...isNull].sort());
      for (let index = 1; index < whole.length; index += 1) {
        const [before, after] = [whole[index - 1], whole[index]];
        if (!before || !after) continue;
        const [left, right] = [keys[index - 1], keys[index]];
        if (left === right) expect(order === 'asc' ? before.id < after.id : before.id > after.id).toBe(true);
        else if (typeof left === 'number' && typeof right === 'number')
          expect(order === 'asc' ? left < right : left > right).toBe(true);
      }
    },
  );
});

describe('GET /content/{collection} with orderBy', () => {
  it.each([
    'secret',
    'body',
    'nothing',
    'id',
    'data',
    'version',
    'author_id',
    '_locale',
    'created_at',
    'rank"',
    "rank'--",
    'rank; DROP TABLE content_posts',
    'Ränk',
    'select',
    '*',
    '1',
    '%00',
    'constructor',
    '__proto__',
  ])('returns 400 for orderBy=%s', async (orderBy) => {
    const response = await list(`orderBy=${encodeURIComponent(decodeURIComponent(orderBy))}`);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([
      400,
      'VALIDATION_ERROR',
      'orderBy',
    ]);
  });
  it.each(['up', 'ASC', ''])('returns 400 for the direction %j', async (order) => {
    expect(issuePaths(await list(`order=${order}`))).toEqual(['order']);
  });
  it('accepts titleField and dateField of the collection', async () => {
    await site.collection({
      slug: 'events',
      titleField: 'headline',
      dateField: 'day',
      fields: [
        { slug: 'headline', type: 'string' },
        { slug: 'day', type: 'datetime' },
      ],
    });
    for (const orderBy of ['headline', 'day'])
      expect((await admin.get(`/content/events?orderBy=${orderBy}`)).status).toBe(200);
    expect(statusAndCode(await admin.get('/content/events?orderBy=title'))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
});

describe('GET /content/{collection} with cursor', () => {
  const cursorOf = async (query: string) => (await list(`limit=2&${query}`)).data.nextCursor as string;

  it('returns no nextCursor on the last page', async () => {
    expect((await list('limit=30')).data).not.toHaveProperty('nextCursor');
    expect(typeof (await cursorOf(''))).toBe('string');
  });
  it('accepts another limit', async () => {
    const { data } = await list(`limit=10&cursor=${await cursorOf('')}`);
    expect(data.items).toHaveLength(10);
  });
  it('neither omits nor repeats entries when others are created and deleted between pages', async () => {
    await site.collection({ slug: 'moving' });
    const created: string[] = [];
    for (let index = 0; index < 10; index += 1)
      created.push((await admin.post('/content/moving', { data: { title: `M ${index}` } })).data.item.id);
    const first = (await admin.get('/content/moving?limit=4')).data;
    await admin.post('/content/moving', { data: { title: 'New' } });
    await admin.delete(`/content/moving/${first.items[3].id}`);
    const rest = await walkPages(admin, `/content/moving?limit=4`);
    const after = (await admin.get(`/content/moving?limit=100&cursor=${first.nextCursor}`)).data.items;
    expect([...idsOf(first.items), ...idsOf(after)]).toEqual([...created].reverse());
    expect(rest).toHaveLength(10);
  });
  it.each(['garbage', '', '!!!', 'e30', 'W10', 'bnVsbA', 'WzEsMiwzXQ', '%00', 'x'.repeat(2048)])(
    'returns 400 INVALID_CURSOR for the malformed cursor %s',
    async (cursor) => {
      expect(statusAndCode(await list(`cursor=${cursor}`))).toEqual([400, 'INVALID_CURSOR']);
    },
  );
  it.each(['asc', 'desc'])('pages through titles that are longer than a cursor, %s', async (order) => {
    const slug = `lengthy_${order}`;
    await site.collection({ slug });
    const beginning = '漢'.repeat(1_500);
    const titles = [...['1', '2', '2', '3'].map((end) => beginning + end), 'Short', undefined, '龜'];
    for (const title of titles) await admin.post(`/content/${slug}`, { data: { title } });
    const path = `/content/${slug}?orderBy=title&order=${order}`;
    const whole = idsOf((await admin.get(path)).data.items);
    expect(whole).toHaveLength(titles.length);
    for (const limit of [1, 2, 3])
      expect(idsOf(await walkPages(admin, `${path}&limit=${limit}`))).toEqual(whole);
  });
  it('returns 400 for a cursor of 2049 characters', async () => {
    expect((await list(`cursor=${'x'.repeat(2049)}`)).status).toBe(400);
  });
  it.each([
    'orderBy=updatedAt',
    'order=asc',
    'status=draft',
    'locale=en',
    'q=title',
    'authorId=x',
    'dateField=createdAt&dateFrom=2020-01-01',
    'bylines=none',
    'includeInferredBylines=1',
    fieldFilters({ rank: 1 }),
  ])('returns 400 INVALID_CURSOR with other filters: %s', async (query) => {
    const cursor = await cursorOf('');
    expect(statusAndCode(await list(`cursor=${cursor}&${query}`))).toEqual([400, 'INVALID_CURSOR']);
  });
  it('returns 400 INVALID_CURSOR for another operation, collection or site', async () => {
    const cursor = await cursorOf('');
    expect(statusAndCode(await admin.get(`/content/others?cursor=${cursor}`))).toEqual([
      400,
      'INVALID_CURSOR',
    ]);
    expect(statusAndCode(await admin.get(`/content/posts/trash?cursor=${cursor}`))).toEqual([
      400,
      'INVALID_CURSOR',
    ]);
    const neighbour = await openSite();
    await neighbour.collection({ slug: 'posts', fields: variedFields });
    expect(statusAndCode(await (await neighbour.as('admin')).get(`/content/posts?cursor=${cursor}`))).toEqual(
      [400, 'INVALID_CURSOR'],
    );
    await neighbour.close();
  });
  it.each([
    ['createdAt', 'yesterday'],
    ['createdAt', 5],
    ['createdAt', '2025-13-45T00:00:00Z'],
    ['createdAt', true],
    ['rank', 'one'],
    ['rank', 1.5],
    ['rank', 1e300],
    ['price', 'much'],
    ['active', 7_000_000],
    ['active', 'yes'],
    ['slug', 'a\u0000b'],
    ['title', 12],
  ])('returns at most 400 INVALID_CURSOR for a forged cursor: %s after %j', async (orderBy, value) => {
    const cursor = await cursorOf(`orderBy=${orderBy}&order=asc`);
    const values = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const forged = (id: unknown) => Buffer.from(JSON.stringify([values[0], value, id])).toString('base64url');
    const response = await list(`limit=2&orderBy=${orderBy}&order=asc&cursor=${forged(values[2])}`);
    expect([200, 400]).toContain(response.status);
    if (response.status === 400) expect(response.error.code).toBe('INVALID_CURSOR');
    expect([200, 400]).toContain(
      (await list(`limit=2&orderBy=${orderBy}&order=asc&cursor=${forged('\u0000')}`)).status,
    );
  });
});
