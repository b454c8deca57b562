import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection();
  for (const name of ['topic', 'place']) {
    await admin.post('/taxonomies', { name, label: name, collections: ['posts'] });
    for (const label of ['A', 'B', 'C']) await admin.post(`/taxonomies/${name}/terms`, { label });
  }
  const all: [string, object][] = [
    ['one', { topic: ['a'] }],
    ['two', { topic: ['a', 'b'], place: ['a'] }],
    ['three', { topic: ['c'], place: ['a', 'b'] }],
    ['none', {}],
  ];
  for (const [title, taxonomies] of all) await createEntry(admin, 'posts', { title }, { taxonomies });
});

const list = (filters: unknown) =>
  admin.get(
    `/content/posts?termFilters=${encodeURIComponent(typeof filters === 'string' ? filters : JSON.stringify(filters))}`,
  );

describe('GET /content/{collection} with termFilters (contract 7, listContent)', () => {
  it.each<[object, string[]]>([
    [{ topic: ['a'] }, ['one', 'two']],
    [{ topic: ['b', 'c'] }, ['three', 'two']],
    [{ topic: ['a', 'c'], place: ['a'] }, ['three', 'two']],
    [{ place: ['b'], topic: ['a'] }, []],
    [{ topic: ['nothing'] }, []],
    [{ nothing: ['a'] }, []],
    [{}, ['none', 'one', 'three', 'two']],
  ])('%j matches any term within a taxonomy, and all taxonomies', async (filters, titles) => {
    const { items, total } = (await list(filters)).data as {
      items: { data: { title: string } }[];
      total: number;
    };
    expect(items.map(({ data }) => data.title).sort()).toEqual(titles);
    expect(total).toBe(titles.length);
  });

  it('finds translations by the terms of their group, and terms by a slug in any locale', async () => {
    const { term } = (await admin.get('/taxonomies/topic/terms/b')).data;
    await admin.post('/taxonomies/topic/terms', { label: 'Beh', locale: 'de', translationOf: term.id });
    const { items } = (await list({ topic: ['beh'] })).data;
    expect(items).toHaveLength(1);
    await createEntry(admin, 'posts', { title: 'zwei' }, { locale: 'de', translationOf: items[0].id });
    expect((await list({ topic: ['b'] })).data.items).toHaveLength(2);
    await admin.get('/content/posts?limit=1');
  });

  it('returns 400 INVALID_CURSOR for a cursor of other termFilters', async () => {
    const filters = encodeURIComponent(JSON.stringify({ topic: ['a', 'b', 'c'] }));
    const { nextCursor } = (await admin.get(`/content/posts?limit=1&termFilters=${filters}`)).data;
    const other = await admin.get(`/content/posts?limit=1&cursor=${nextCursor}`);
    expect(statusAndCode(other)).toEqual([400, 'INVALID_CURSOR']);
    const next = await admin.get(`/content/posts?limit=1&termFilters=${filters}&cursor=${nextCursor}`);
    expect(next.data.items).toHaveLength(1);
  });

  it.each([
    'x',
    '[]',
    '{"topic":"a"}',
    '{"topic":[]}',
    '{"topic":[1]}',
    '{"__proto__":["a"]}',
    JSON.stringify({ topic: Array.from({ length: 51 }, () => 'a') }),
    JSON.stringify(Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`t${n}`, ['a']]))),
  ])('returns 400 for %s', async (filters) => {
    expect(statusAndCode(await list(filters))).toEqual([400, 'VALIDATION_ERROR']);
  });
});
