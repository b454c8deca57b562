import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, openSite, outcome, walkPages, type Client, type Site } from '@quire/testing';

let site: Site;
let admin: Client;

interface Listed {
  id: string;
  slug: string | null;
  data: Record<string, unknown>;
  [key: string]: unknown;
}

const fields = [
  { slug: 'title', type: 'string' as const, searchable: true },
  { slug: 'body', type: 'text' as const, searchable: true },
  { slug: 'secret', type: 'string' as const },
  { slug: 'rank', type: 'integer' as const, indexed: true },
  { slug: 'price', type: 'number' as const, indexed: true },
  { slug: 'starts', type: 'datetime' as const, indexed: true },
  { slug: 'active', type: 'boolean' as const, indexed: true },
  { slug: 'kind', type: 'select' as const, indexed: true, validation: { options: ['a', 'b', "o'clock"] } },
  { slug: 'link', type: 'url' as const, indexed: true },
];

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
  await site.collection({ slug: 'posts', fields });
  await site.collection({ slug: 'others', fields });
  await fill();
});
afterAll(() => site.close());

/** Thirty entries of `posts`: every third without rank, price, starts; ties everywhere; three statuses, two locales. */
async function fill(): Promise<void> {
  for (let index = 0; index < 30; index += 1) {
    const isEmpty = index % 3 === 0;
    const data = {
      title: `Title ${String.fromCharCode(97 + (index % 5))}`,
      secret: `hidden ${index}`,
      rank: isEmpty ? null : (index % 4) - 1,
      price: isEmpty ? null : (index % 5) / 10,
      starts: isEmpty ? null : `2025-01-0${1 + (index % 3)}T00:00:00.00${index % 2}Z`,
      active: isEmpty ? null : index % 2 === 0,
      kind: isEmpty ? null : ['a', 'b', "o'clock"][index % 3],
      link: isEmpty ? null : `/${index % 3}`,
    };
    const answer = await admin.post('/content/posts', { data, locale: index % 10 === 0 ? 'de' : 'en', ...(index % 7 === 0 ? { slug: null, data: { ...data, title: null } } : {}) });
    const path = `/content/posts/${answer.data.item.id}`;
    if (index % 4 === 1) await admin.post(`${path}/publish`);
    if (index % 6 === 2) await admin.post(`${path}/schedule`, { scheduledAt: `2099-01-0${1 + (index % 2)}T00:00:00Z` });
  }
}

const list = (query: string, client = admin) => client.get(`/content/posts?${query}`);
const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);
const filters = (value: unknown) => `fieldFilters=${encodeURIComponent(JSON.stringify(value))}`;
/** The rows that a filter in SQL finds: what the API must find too. */
const rowsWhere = async (condition: string) =>
  new Set((await site.sql<{ id: string }>(`SELECT id FROM content_posts WHERE deleted_at IS NULL AND (${condition})`)).map(({ id }) => id));

describe('listContent', () => {
  it('returns the newest first, 50 a page unless told otherwise, with the total', async () => {
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
  it('of an empty collection is empty', async () => {
    expect((await admin.get('/content/others')).data).toEqual({ items: [], total: 0 });
  });
  it.each(['limit=0', 'limit=101', 'limit=-1', 'limit=abc', 'limit=1.5', 'limit=', 'limit=1e9'])('refuses %s', async (query) => {
    const answer = await list(query);
    expect([...outcome(answer), ...issuePaths(answer)]).toEqual([400, 'VALIDATION_ERROR', 'limit']);
  });
  it('takes the limits 1 and 100, and the last of a repeated one', async () => {
    expect((await list('limit=1')).data.items).toHaveLength(1);
    expect((await list('limit=100')).data.items).toHaveLength(30);
    expect((await list('limit=5&limit=2')).data.items).toHaveLength(2);
  });
});

const orders: [string, (item: Listed) => unknown][] = [
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

describe.each(orders)('orderBy=%s', (orderBy, keyOf) => {
  it.each(['asc', 'desc'])('%s walks every entry once, whatever the page size; nulls first ascending, last descending', async (order) => {
    const whole = (await list(`orderBy=${orderBy}&order=${order}&limit=100`)).data.items as Listed[];
    expect(whole).toHaveLength(30);
    for (const limit of orderBy === 'rank' ? [1, 2, 15] : [4, 15]) {
      expect(idsOf(await walkPages(admin, `/content/posts?orderBy=${orderBy}&order=${order}&limit=${limit}`))).toEqual(idsOf(whole));
    }
    const keys = whole.map((item) => keyOf(item) ?? null);
    const firstKnown = keys.findIndex((key) => key !== null);
    const known = keys.filter((key) => key !== null);
    const nulls = keys.length - known.length;
    if (nulls > 0 && known.length > 0) expect(order === 'asc' ? firstKnown : keys.lastIndexOf(null) + 1 - keys.length + firstKnown).toBe(order === 'asc' ? nulls : 0);
    for (let index = 1; index < whole.length; index += 1) {
      const [before, after] = [whole[index - 1], whole[index]];
      if (!before || !after) continue;
      const [left, right] = [keys[index - 1], keys[index]];
      if (left === right) expect(order === 'asc' ? before.id < after.id : before.id > after.id).toBe(true);
      else if (typeof left === 'number' && typeof right === 'number') expect(order === 'asc' ? left < right : left > right).toBe(true);
    }
  });
});

describe('orderBy', () => {
  it.each(['secret', 'body', 'nothing', 'id', 'data', 'version', 'author_id', '_locale', 'created_at', 'rank"', "rank'--", 'rank; DROP TABLE content_posts', 'Ränk', 'select', '*', '1', '%00', 'constructor', '__proto__'])(
    'refuses what is no order of the collection: %s',
    async (orderBy) => {
      const answer = await list(`orderBy=${encodeURIComponent(decodeURIComponent(orderBy))}`);
      expect([...outcome(answer), ...issuePaths(answer)]).toEqual([400, 'VALIDATION_ERROR', 'orderBy']);
    },
  );
  it.each(['up', 'ASC', ''])('refuses the direction %j', async (order) => {
    expect(issuePaths(await list(`order=${order}`))).toEqual(['order']);
  });
  it('takes the titleField and the dateField of the collection', async () => {
    await site.collection({
      slug: 'events',
      titleField: 'headline',
      dateField: 'day',
      fields: [{ slug: 'headline', type: 'string' }, { slug: 'day', type: 'datetime' }],
    });
    for (const orderBy of ['headline', 'day']) expect((await admin.get(`/content/events?orderBy=${orderBy}`)).status).toBe(200);
    expect(outcome(await admin.get('/content/events?orderBy=title'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('cursor', () => {
  const cursorOf = async (query: string) => (await list(`limit=2&${query}`)).data.nextCursor as string;

  it('is absent on the last page', async () => {
    expect((await list('limit=30')).data).not.toHaveProperty('nextCursor');
    expect(typeof (await cursorOf(''))).toBe('string');
  });
  it('may be followed with another limit', async () => {
    const { data } = await list(`limit=10&cursor=${await cursorOf('')}`);
    expect(data.items).toHaveLength(10);
  });
  it('neither loses nor repeats an entry when others come and go meanwhile', async () => {
    await site.collection({ slug: 'moving' });
    const made: string[] = [];
    for (let index = 0; index < 10; index += 1) made.push((await admin.post('/content/moving', { data: { title: `M ${index}` } })).data.item.id);
    const first = (await admin.get('/content/moving?limit=4')).data;
    await admin.post('/content/moving', { data: { title: 'New' } });
    await admin.delete(`/content/moving/${first.items[3].id}`);
    const rest = await walkPages(admin, `/content/moving?limit=4`);
    const after = (await admin.get(`/content/moving?limit=100&cursor=${first.nextCursor}`)).data.items;
    expect([...idsOf(first.items), ...idsOf(after)]).toEqual([...made].reverse());
    expect(rest).toHaveLength(10);
  });
  it.each(['garbage', '', '!!!', 'e30', 'W10', 'bnVsbA', 'WzEsMiwzXQ', '%00', 'x'.repeat(2048)])('is 400 INVALID_CURSOR when it is none: %s', async (cursor) => {
    expect(outcome(await list(`cursor=${cursor}`))).toEqual([400, 'INVALID_CURSOR']);
  });
  it('is refused when it is longer than 2048 characters', async () => {
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
    filters({ rank: 1 }),
  ])('is 400 INVALID_CURSOR with other conditions: %s', async (query) => {
    const cursor = await cursorOf('');
    expect(outcome(await list(`cursor=${cursor}&${query}`))).toEqual([400, 'INVALID_CURSOR']);
  });
  it('is 400 INVALID_CURSOR for another operation, another collection and another site', async () => {
    const cursor = await cursorOf('');
    expect(outcome(await admin.get(`/content/others?cursor=${cursor}`))).toEqual([400, 'INVALID_CURSOR']);
    expect(outcome(await admin.get(`/content/posts/trash?cursor=${cursor}`))).toEqual([400, 'INVALID_CURSOR']);
    const neighbour = await openSite();
    await neighbour.collection({ slug: 'posts', fields });
    expect(outcome(await (await neighbour.as('admin')).get(`/content/posts?cursor=${cursor}`))).toEqual([400, 'INVALID_CURSOR']);
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
  ])('is never more than 400 INVALID_CURSOR when its content was forged: %s after %j', async (orderBy, value) => {
    const cursor = await cursorOf(`orderBy=${orderBy}&order=asc`);
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const forged = (id: unknown) => Buffer.from(JSON.stringify([parts[0], value, id])).toString('base64url');
    const answer = await list(`limit=2&orderBy=${orderBy}&order=asc&cursor=${forged(parts[2])}`);
    expect([200, 400]).toContain(answer.status);
    if (answer.status === 400) expect(answer.error.code).toBe('INVALID_CURSOR');
    expect([200, 400]).toContain((await list(`limit=2&orderBy=${orderBy}&order=asc&cursor=${forged('\u0000')}`)).status);
  });
});

describe('the filters of a list', () => {
  it.each([
    ['status=draft', "status = 'draft'"],
    ['status=published', "status = 'published'"],
    ['status=scheduled', "status = 'scheduled'"],
    ['status=unknown', 'false'],
    ['status=', 'false'],
    ['locale=de', "_locale = 'de'"],
    ['locale=DE', "_locale = 'DE'"],
    ['locale=EN', "_locale = 'en'"],
    ['authorId=nobody', 'false'],
    ['status=published&locale=en', "status = 'published' AND _locale = 'en'"],
    ['dateField=createdAt&dateFrom=2020-01-01', 'true'],
    ['dateField=createdAt&dateTo=2020-01-01', 'false'],
    ['dateField=publishedAt&dateFrom=2020-01-01', 'published_at IS NOT NULL'],
    ['dateFrom=2099-01-01', 'true'],
    ['bylines=none', 'true'],
  ])('%s finds what it says, and counts it', async (query, condition) => {
    const expected = await rowsWhere(condition);
    const { data } = await list(`limit=100&${query}`);
    expect(new Set(idsOf(data.items))).toEqual(expected);
    expect(data.total).toBe(expected.size);
  });
  it('dateFrom and dateTo are both inclusive, and a bare date means its whole day in UTC', async () => {
    await site.collection({ slug: 'dated' });
    const make = async (createdAt: string) => (await admin.post('/content/dated', { data: { title: createdAt }, createdAt })).data.item.createdAt;
    for (const time of ['2024-05-01T00:00:00Z', '2024-05-01T23:59:59.999Z', '2024-05-02T00:00:00Z']) await make(time);
    const count = async (query: string) => (await admin.get(`/content/dated?dateField=createdAt&${query}`)).data.total;
    expect(await count('dateFrom=2024-05-01&dateTo=2024-05-01')).toBe(2);
    expect(await count('dateFrom=2024-05-02')).toBe(1);
    expect(await count(`dateFrom=${encodeURIComponent('2024-05-02T02:00:00+02:00')}`)).toBe(1);
    expect(await count('dateTo=2024-05-01T00:00:00Z')).toBe(1);
  });
  it.each(['dateField=deletedAt', 'dateField=createdAt&dateFrom=today', 'dateField=createdAt&dateTo=2024-02-30', 'dateFrom=2024-05-01T00:00:00', `q=${'x'.repeat(201)}`, 'q=', 'q=%20', 'authorId=', 'locale=!', 'includeInferredBylines=yes', 'bylines=', `bylines=${Array.from({ length: 26 }, (_, index) => index).join()}`])(
    'refuses %s',
    async (query) => {
      expect(outcome(await list(query))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
  it.each(['status', 'authorId', 'locale', 'q', 'orderBy', 'bylines', 'dateField', 'cursor'])('answers U+0000 in %s with 400', async (name) => {
    expect((await list(`${name}=a%00b`)).status).toBe(400);
  });
});

describe('q', () => {
  const texts = ['100% sure', 'snake_case', "it's quoted", 'back\\slash', 'Große Straße', '日本語の題', '"double"', 'plain 100 sure'];
  beforeAll(async () => {
    await site.collection({ slug: 'texts', fields });
    for (const [index, title] of texts.entries()) await admin.post('/content/texts', { data: { title, secret: `secret${index}`, body: `body${index}` }, slug: `s-${index}` });
  });
  const found = async (q: string) => ((await admin.get(`/content/texts?q=${encodeURIComponent(q)}`)).data.items as Listed[]).map(({ data }) => data['title']);

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
  ])('%s finds the text as it is, whatever the case', async (q, titles) => {
    expect(new Set(await found(q))).toEqual(new Set(titles));
  });
  it('looks into slug, title and searchable fields, and nowhere else', async () => {
    expect(await found('s-3')).toEqual(['back\\slash']);
    expect(await found('body4')).toEqual(['Große Straße']);
    expect(await found('secret4')).toEqual([]);
  });
});

describe('fieldFilters', () => {
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
    [{ kind: "o'clock" }, "kind = 'o''clock'"],
    [{ kind: 'a" OR 1=1 --' }, 'false'],
    [{ kind: { in: ['a', 'zzz'] } }, "kind = 'a'"],
    [{ link: '/1' }, "link = '/1'"],
    [{ link: { gt: '/0' } }, "link > '/0'"],
    [{ rank: { gte: 0 }, active: true, kind: 'b' }, "rank >= 0 AND active = 1 AND kind = 'b'"],
    [{}, 'true'],
  ])('%j finds what it says', async (value, condition) => {
    const expected = await rowsWhere(condition);
    const { data } = await list(`limit=100&${filters(value)}`);
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
    [{ rank: { in: Array.from({ length: 40 }, (_, index) => index) }, price: { in: Array.from({ length: 11 }, (_, index) => index) } }],
    [{ price: '0.2' }],
    [{ starts: '2025-01-01' }],
    [{ starts: 'x' }],
    [{ active: 1 }],
    [{ active: { gt: 0 } }],
    [{ kind: 5 }],
    [{ kind: 'a\u0000' }],
    [{ kind: 'x'.repeat(2049) }],
    [Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`f${index}`, 1]))],
    [[]],
    ['rank'],
    [null],
    [5],
  ])('%j is refused', async (value) => {
    expect(outcome(await list(filters(value)))).toEqual([400, 'VALIDATION_ERROR']);
  });
  it.each(['{', 'rank', '', '{"rank":1e999}', '{"__proto__":1}'])('that are not such JSON are refused: %s', async (text) => {
    expect(outcome(await list(`fieldFilters=${encodeURIComponent(text)}`))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('bylines', () => {
  const made: Record<string, string> = {};
  beforeAll(async () => {
    await site.collection({ slug: 'stories' });
    const insert = 'INSERT INTO bylines (id, slug, display_name, user_id, locale, translation_group) VALUES ($1, $2, $3, $4, $5, $6)';
    await site.sql(insert, ['byline-ann', 'ann', 'Ann', null, 'en', 'group-ann']);
    await site.sql(insert, ['byline-ann-de', 'ann', 'Anne', null, 'de', 'group-ann']);
    await site.sql(insert, ['byline-bob', 'bob', 'Bob', null, 'en', 'group-bob']);
    const editor = await site.as('editor');
    const create = async (name: string, more: object, client = admin) => {
      made[name] = (await client.post('/content/stories', { data: { title: name }, ...more })).data.item.id;
    };
    await create('ann', { bylines: [{ bylineId: 'byline-ann', roleLabel: 'Words' }] });
    await create('german', { bylines: [{ bylineId: 'group-ann' }], locale: 'de' });
    await create('both', { bylines: [{ bylineId: 'byline-bob' }, { bylineId: 'byline-ann-de' }, { bylineId: 'byline-ann' }] });
    await create('none', {});
    await create('inferred', {}, editor);
    const { item } = (await admin.get(`/content/stories/${made['inferred'] ?? ''}`)).data;
    await site.sql(insert, ['byline-ed', 'ed', 'Ed', item.authorId, 'en', 'group-ed']);
  });
  const named = (query: string) =>
    admin.get(`/content/stories?${query}`).then(({ data }) => new Set((data.items as Listed[]).map(({ data: values }) => values['title'])));

  it.each([
    ['byline-ann', ['ann', 'german', 'both']],
    ['group-ann', ['ann', 'german', 'both']],
    ['byline-bob', ['both']],
    ['byline-bob,byline-ann-de', ['ann', 'german', 'both']],
    ['byline-ed', []],
    ['unknown', []],
  ])('=%s finds the entries that credit one of them', async (ids, expected) => {
    expect(await named(`bylines=${ids}`)).toEqual(new Set(expected));
  });
  it('finds entries by the inferred byline of their author only when asked', async () => {
    expect(await named('bylines=byline-ed&includeInferredBylines=1')).toEqual(new Set(['inferred']));
    expect(await named('bylines=group-ed&includeInferredBylines=true')).toEqual(new Set(['inferred']));
  });
  it('=none finds the entries without a credit, and with includeInferredBylines those without an inferred one too', async () => {
    expect(await named('bylines=none')).toEqual(new Set(['none', 'inferred']));
    expect(await named('bylines=none&includeInferredBylines=1')).toEqual(new Set(['none']));
  });
  it('stand on every entry in their order, once each, in the locale of the entry', async () => {
    const read = async (name: string) => (await admin.get(`/content/stories/${made[name] ?? ''}`)).data.item;
    const ann = await read('ann');
    expect(ann).toMatchObject({ primaryBylineId: 'group-ann', byline: { id: 'byline-ann', displayName: 'Ann' } });
    expect(ann.bylines).toEqual([{ byline: ann.byline, sortOrder: 0, roleLabel: 'Words', source: 'explicit' }]);
    expect((await read('german')).byline).toMatchObject({ id: 'byline-ann-de', displayName: 'Anne', locale: 'de' });
    expect((await read('both')).bylines.map(({ byline }: { byline: { id: string } }) => byline.id)).toEqual(['byline-bob', 'byline-ann']);
    expect((await read('inferred')).bylines).toEqual([expect.objectContaining({ source: 'inferred', sortOrder: 0 })]);
    expect((await read('none')).bylines).toEqual([]);
  });
  it('are replaced as a whole, live at once, and removed by an empty list', async () => {
    const id = made['both'] ?? '';
    const path = `/content/stories/${id}`;
    await admin.post(`${path}/publish`);
    const { item } = (await admin.put(path, { bylines: [{ bylineId: 'byline-ann' }] })).data;
    expect([item.primaryBylineId, item.bylines.length, item.draftRevisionId]).toEqual(['group-ann', 1, null]);
    const cleared = (await admin.put(path, { bylines: [] })).data.item;
    expect([cleared.primaryBylineId, cleared.byline, cleared.bylines]).toEqual([null, null, []]);
    await admin.put(path, { bylines: [{ bylineId: 'byline-bob' }, { bylineId: 'byline-ann' }] });
  });
  it('go with a duplicate and with a translation that names none', async () => {
    const path = `/content/stories/${made['ann'] ?? ''}`;
    expect((await admin.post(`${path}/duplicate`)).data.item.bylines).toHaveLength(1);
    const body = { data: { title: 'Übersetzt' }, translationOf: made['ann'], locale: 'fr' };
    expect((await admin.post('/content/stories', body)).data.item.primaryBylineId).toBe('group-ann');
    for (const { id } of (await admin.get('/content/stories?limit=2')).data.items) {
      await admin.delete(`/content/stories/${id}`);
      await admin.delete(`/content/stories/${id}/permanent`);
    }
  });
  it('leave the entry as it was when one of them is unknown', async () => {
    const path = `/content/stories/${made['ann'] ?? ''}`;
    const before = (await admin.get(path)).data;
    const answer = await admin.put(path, { bylines: [{ bylineId: 'byline-bob' }, { bylineId: 'nobody' }], data: { title: 'x' } });
    expect([...outcome(answer), ...issuePaths(answer)]).toEqual([400, 'VALIDATION_ERROR', 'bylines.1.bylineId']);
    expect((await admin.get(path)).data).toEqual(before);
  });
  it.each<unknown>([[{}], [{ bylineId: '' }], [{ bylineId: 'a\u0000' }], [{ bylineId: 5 }], ['byline-ann'], 'byline-ann', null])('are refused as %j', async (bylines) => {
    expect(outcome(await admin.post('/content/stories', { data: {}, bylines }))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('listTrashedContent', () => {
  it('pages through the trash, last deleted first, and through that of one locale', async () => {
    await site.collection({ slug: 'trashy' });
    const deleted: string[] = [];
    for (let index = 0; index < 9; index += 1) {
      const { item } = (await admin.post('/content/trashy', { data: { title: `T ${index}` }, locale: index % 3 === 0 ? 'de' : 'en' })).data;
      await admin.delete(`/content/trashy/${item.id}`);
      deleted.unshift(item.id);
    }
    await admin.post('/content/trashy', { data: { title: 'Kept' } });
    for (const limit of [1, 4, 100]) expect(idsOf(await walkPages(admin, `/content/trashy/trash?limit=${limit}`))).toEqual(deleted);
    const german = await walkPages<{ id: string; locale: string }>(admin, '/content/trashy/trash?limit=2&locale=de');
    expect(german.map(({ locale }) => locale)).toEqual(['de', 'de', 'de']);
    const { nextCursor } = (await admin.get('/content/trashy/trash?limit=2')).data;
    expect(outcome(await admin.get(`/content/trashy/trash?cursor=${nextCursor}&locale=de`))).toEqual([400, 'INVALID_CURSOR']);
    expect(outcome(await admin.get(`/content/trashy?cursor=${nextCursor}`))).toEqual([400, 'INVALID_CURSOR']);
    const parts = JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as unknown[];
    const forged = Buffer.from(JSON.stringify([parts[0], 'never', parts[2]])).toString('base64url');
    expect(outcome(await admin.get(`/content/trashy/trash?cursor=${forged}`))).toEqual([400, 'INVALID_CURSOR']);
    for (const limit of ['0', '101', 'x']) expect(outcome(await admin.get(`/content/trashy/trash?limit=${limit}`))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('listContentAuthors', () => {
  it('lists the distinct owners of entries that are not trashed', async () => {
    await site.collection({ slug: 'written' });
    const editor = await site.as('editor');
    const author = await site.as('author');
    for (const client of [editor, editor, author]) await client.post('/content/written', { data: { title: 'W' } });
    const gone = (await admin.post('/content/written', { data: { title: 'W' } })).data.item;
    await admin.delete(`/content/written/${gone.id}`);
    const { items } = (await admin.get('/content/written/authors')).data as { items: { email: string }[] };
    expect(items.map(({ email }) => email)).toEqual([`author@${site.tenant}.example`, `editor@${site.tenant}.example`]);
    expect(items[0]).toEqual({ id: expect.any(String), name: null, email: expect.any(String), avatarUrl: null });
  });
  it('is empty without entries', async () => {
    expect((await admin.get('/content/others/authors')).data).toEqual({ items: [] });
  });
});
