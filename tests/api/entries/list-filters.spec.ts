import { beforeAll, describe, expect, it } from '@jest/globals';
import { idsOf, statusAndCode, useSite, type Client } from '@quire/testing';
import { createVariedEntries, variedFields, fieldFilters, type ListedEntry } from './support.js';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection({ slug: 'posts', fields: variedFields });
  await createVariedEntries(admin);
});

const list = (query: string, client = admin) => client.get(`/content/posts?${query}`);
/** Ids of the rows that an SQL condition selects: the expected result of a filter. */
const rowsWhere = async (condition: string) =>
  new Set(
    (
      await site.sql<{ id: string }>(
        `SELECT id FROM content_posts WHERE deleted_at IS NULL AND (${condition})`,
      )
    ).map(({ id }) => id),
  );

describe('GET /content/{collection} with filters', () => {
  it.each([
    ['status=draft', "status = 'draft'"],
    ['status=published', "status = 'published'"],
    ['status=scheduled', "status = 'scheduled'"],
    ['status=unknown', 'false'],
    ['status=', 'false'],
    ['locale=de', "_locale = 'de'"],
    ['locale=DE', "_locale = 'de'"],
    ['locale=EN', "_locale = 'en'"],
    ['authorId=nobody', 'false'],
    ['status=published&locale=en', "status = 'published' AND _locale = 'en'"],
    ['dateField=createdAt&dateFrom=2020-01-01', 'true'],
    ['dateField=createdAt&dateTo=2020-01-01', 'false'],
    ['dateField=publishedAt&dateFrom=2020-01-01', 'published_at IS NOT NULL'],
    ['dateFrom=2099-01-01', 'true'],
    ['bylines=none', 'true'],
  ])('%s returns the matching entries and their total', async (query, condition) => {
    const expected = await rowsWhere(condition);
    const { data } = await list(`limit=100&${query}`);
    expect(new Set(idsOf(data.items))).toEqual(expected);
    expect(data.total).toBe(expected.size);
  });
  it('dateFrom and dateTo are inclusive, and a date without time is a whole day in UTC', async () => {
    await site.collection({ slug: 'dated' });
    const create = async (createdAt: string) =>
      (await admin.post('/content/dated', { data: { title: createdAt }, createdAt })).data.item.createdAt;
    for (const time of ['2024-05-01T00:00:00Z', '2024-05-01T23:59:59.999Z', '2024-05-02T00:00:00Z'])
      await create(time);
    const count = async (query: string) =>
      (await admin.get(`/content/dated?dateField=createdAt&${query}`)).data.total;
    expect(await count('dateFrom=2024-05-01&dateTo=2024-05-01')).toBe(2);
    expect(await count('dateFrom=2024-05-02')).toBe(1);
    expect(await count(`dateFrom=${encodeURIComponent('2024-05-02T02:00:00+02:00')}`)).toBe(1);
    expect(await count('dateTo=2024-05-01T00:00:00Z')).toBe(1);
  });
  it.each([
    'dateField=deletedAt',
    'dateField=createdAt&dateFrom=today',
    'dateField=createdAt&dateTo=2024-02-30',
    'dateFrom=2024-05-01T00:00:00',
    `q=${'x'.repeat(201)}`,
    'q=',
    'q=%20',
    'authorId=',
    'locale=!',
    'includeInferredBylines=yes',
    'bylines=',
    `bylines=${Array.from({ length: 26 }, (_, index) => index).join()}`,
  ])('returns 400 for %s', async (query) => {
    expect(statusAndCode(await list(query))).toEqual([400, 'VALIDATION_ERROR']);
  });
  it.each(['status', 'authorId', 'locale', 'q', 'orderBy', 'bylines', 'dateField', 'cursor'])(
    'returns 400 for U+0000 in %s',
    async (name) => {
      expect((await list(`${name}=a%00b`)).status).toBe(400);
    },
  );
});

describe('GET /content/{collection} with q', () => {
  const texts = [
    '100% sure',
    'snake_case',
    "it's quoted",
    'back\\slash',
    'Große Straße',
    '日本語の題',
    '"double"',
    'plain 100 sure',
  ];
  beforeAll(async () => {
    await site.collection({ slug: 'texts', fields: variedFields });
    for (const [index, title] of texts.entries())
      await admin.post('/content/texts', {
        data: { title, secret: `secret${index}`, body: `body${index}` },
        slug: `s-${index}`,
      });
  });
  const found = async (q: string) =>
    ((await admin.get(`/content/texts?q=${encodeURIComponent(q)}`)).data.items as ListedEntry[]).map(
      ({ data }) => data['title'],
    );

  it.each([
    ['100%', ['100% sure']],
    ['%', ['100% sure']],
    ['e_c', ['snake_case']],
    ['_', ['snake_case']],
    ["'", ["it's quoted"]],
    ['"', ['"double"']],
    ['\\', ['back\\slash']],
    ['\\s', ['back\\slash']],
    ['STRASSE', []],
    ['straße', ['Große Straße']],
    ['GROSSE', []],
    ['große', ['Große Straße']],
    ['本語', ['日本語の題']],
    ['100', ['100% sure', 'plain 100 sure']],
    ['  sure  ', ['100% sure', 'plain 100 sure']],
  ])('q=%s matches literally and case-insensitively', async (q, titles) => {
    expect(new Set(await found(q))).toEqual(new Set(titles));
  });
  it('searches only slug, title and searchable fields', async () => {
    expect(await found('s-3')).toEqual(['back\\slash']);
    expect(await found('body4')).toEqual(['Große Straße']);
    expect(await found('secret4')).toEqual([]);
  });
  it.each(['NFC', 'NFD'] as const)('finds a slug generated from a title for a query in %s', async (form) => {
    const title = `Café ${form}`.normalize('NFD');
    await admin.post('/content/texts', { data: { title, body: '' } });
    expect(await found(`café-${form}`.normalize(form))).toEqual([title]);
  });
});

describe('GET /content/{collection} with fieldFilters', () => {
  it.each<[object, string]>([
    [{ rank: 2 }, 'rank = 2'],
    [{ rank: -1 }, 'rank = -1'],
    [{ rank: null }, 'rank IS NULL'],
    [{ rank: { in: [0, 2] } }, 'rank IN (0, 2)'],
    [{ rank: { in: [] } }, 'false'],
    [{ rank: { gt: 0 } }, 'rank > 0'],
    [{ rank: { gte: 0, lt: 2 } }, 'rank >= 0 AND rank < 2'],
    [{ rank: { gt: 5, lte: 1 } }, 'false'],
    [{ price: 0.2 }, 'price = 0.2'],
    [{ price: { lte: 0.2 } }, 'price <= 0.2'],
    [{ starts: '2025-01-02T01:00:00.001+01:00' }, "starts = '2025-01-02T00:00:00.001Z'"],
    [{ starts: { gte: '2025-01-02T00:00:00Z' } }, "starts >= '2025-01-02T00:00:00Z'"],
    [{ active: true }, 'active = 1'],
    [{ active: false }, 'active = 0'],
    [{ active: { in: [true, false] } }, 'active IS NOT NULL'],
    [{ active: 1 }, 'active = 1'],
    [{ active: { in: [0] } }, 'active = 0'],
    [{ kind: "o'clock" }, "kind = 'o''clock'"],
    [{ kind: 'a" OR 1=1 --' }, 'false'],
    [{ kind: { in: ['a', 'zzz'] } }, "kind = 'a'"],
    [{ link: '/1' }, "link = '/1'"],
    [{ link: { gt: '/0' } }, "link > '/0'"],
    [{ rank: { gte: 0 }, active: true, kind: 'b' }, "rank >= 0 AND active = 1 AND kind = 'b'"],
    [{}, 'true'],
  ])('%j returns the matching entries and their total', async (value, condition) => {
    const expected = await rowsWhere(condition);
    const { data } = await list(`limit=100&${fieldFilters(value)}`);
    expect(new Set(idsOf(data.items))).toEqual(expected);
    expect(data.total).toBe(expected.size);
  });
  it.each<[unknown]>([
    [{ title: 'x' }],
    [{ secret: 'x' }],
    [{ nothing: 1 }],
    [{ id: 'x' }],
    [{ status: 'draft' }],
    [{ 'rank"': 1 }],
    [{ 'rank = 1 OR rank': 1 }],
    [{ RANK: 1 }],
    [{ ränk: 1 }],
    [{ rank: '1' }],
    [{ rank: 1.5 }],
    [{ rank: true }],
    [{ rank: 1e300 }],
    [{ rank: {} }],
    [{ rank: [] }],
    [{ rank: { eq: 1 } }],
    [{ rank: { gt: 1, extra: 2 } }],
    [{ rank: { in: [1], gt: 0 } }],
    [{ rank: { in: 1 } }],
    [{ rank: { in: [null] } }],
    [{ rank: { gt: null } }],
    [{ rank: { in: Array.from({ length: 51 }, (_, index) => index) } }],
    [
      {
        rank: { in: Array.from({ length: 40 }, (_, index) => index) },
        price: { in: Array.from({ length: 11 }, (_, index) => index) },
      },
    ],
    [{ price: '0.2' }],
    [{ starts: '2025-01-01' }],
    [{ starts: 'x' }],
    [{ active: 2 }],
    [{ active: '1' }],
    [{ active: { gt: 0 } }],
    [{ kind: 5 }],
    [{ kind: 'a\u0000' }],
    [{ kind: 'x'.repeat(2049) }],
    [Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`f${index}`, 1]))],
    [[]],
    ['rank'],
    [null],
    [5],
  ])('returns 400 for %j', async (value) => {
    expect(statusAndCode(await list(fieldFilters(value)))).toEqual([400, 'VALIDATION_ERROR']);
  });
  it('accepts the maximum length in any script, together with termFilters of the same length', async () => {
    const values = Array.from({ length: 4 }, (_, index) => `${index}${'語'.repeat(2_034)}`);
    const terms = Array.from({ length: 8 }, (_, index) => `${index}${'語'.repeat(999)}`);
    const byKind = { kind: { in: ['a', ...values] } };
    const termFilters = encodeURIComponent(JSON.stringify({ tag: terms }));
    expect(JSON.stringify(byKind).length).toBeGreaterThan(8_150);
    const response = await list(`${fieldFilters(byKind)}&limit=100`);
    expect([response.status, new Set(idsOf(response.data.items))]).toEqual([
      200,
      await rowsWhere("kind = 'a'"),
    ]);
    const both = await list(`${fieldFilters(byKind)}&termFilters=${termFilters}`);
    expect([both.status, both.data?.items]).toEqual([200, []]);
  });
  it.each(['{', 'rank', '', '{"rank":1e999}', '{"__proto__":1}'])(
    'returns 400 for the text %s',
    async (text) => {
      expect(statusAndCode(await list(`fieldFilters=${encodeURIComponent(text)}`))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
    },
  );
});
