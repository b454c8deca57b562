import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;
let author: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  author = await site.as('author');
  await site.collection();
  await site.collection({
    slug: 'products',
    fields: [
      { slug: 'name', type: 'string' },
      { slug: 'sku', type: 'string', unique: true },
      { slug: 'price', type: 'number', translatable: false },
      { slug: 'stock', type: 'integer', defaultValue: 3 },
      { slug: 'label', type: 'string' },
    ],
  });
  await site.collection({ slug: 'pages', supports: ['drafts', 'revisions', 'seo'] });
});

const post = (data: object, more: object = {}) => author.post('/content/posts', { data, ...more });

describe('POST /content/{collection}', () => {
  it('creates a draft of the caller with every documented property', async () => {
    const response = await post({ title: 'First', body: 'Text' });
    expect(response.status).toBe(201);
    const { item, _rev } = response.data;
    expect(item).toMatchObject({
      type: 'posts',
      slug: 'first',
      status: 'draft',
      data: { title: 'First', body: 'Text' },
      primaryBylineId: null,
      byline: null,
      bylines: [],
      publishedAt: null,
      scheduledAt: null,
      liveRevisionId: null,
      draftRevisionId: null,
      version: 1,
      locale: 'en',
      translationGroup: item.id,
    });
    expect(item.id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(item.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(typeof _rev).toBe('string');
    expect(item).not.toHaveProperty('seo');
    expect(item).not.toHaveProperty('liveData');
    const owners = await author.get(`/content/posts?authorId=${item.authorId}`);
    expect(owners.data.items.length).toBeGreaterThan(0);
    expect((await admin.post('/content/posts', { data: {} })).data.item.authorId).not.toBe(item.authorId);
  });
  it('creates no revision', async () => {
    const { item } = (await post({ title: 'Without history' })).data;
    const history = await author.get(`/content/posts/${item.id}/revisions`);
    expect(history.data).toEqual({ items: [], total: 0 });
  });
  it('applies defaults to omitted fields, and omits fields sent as null', async () => {
    const { item } = (await admin.post('/content/products', { data: { name: 'Chair', label: null } })).data;
    expect(item.data).toEqual({ name: 'Chair', stock: 3 });
    const cleared = (await admin.post('/content/products', { data: { name: 'Table', stock: null } })).data
      .item;
    expect(cleared.data).toEqual({ name: 'Table' });
  });
  it('returns 404 COLLECTION_NOT_FOUND for an unknown collection', async () => {
    expect(statusAndCode(await author.post('/content/nothing', { data: {} }))).toEqual([
      404,
      'COLLECTION_NOT_FOUND',
    ]);
  });
  it.each([
    ['published', { data: {}, status: 'published' }],
    ['scheduled', { data: {}, status: 'scheduled' }],
    ['null', { data: {}, status: null }],
  ])('returns 400 VALIDATION_ERROR for the status %s', async (_name, body) => {
    const response = await author.post('/content/posts', body);
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual(['status']);
  });
  it('accepts the status draft', async () => {
    expect((await post({}, { status: 'draft' })).data.item.status).toBe('draft');
  });
  it('ignores unknown keys of the body', async () => {
    const response = await post(
      { title: 'Known keys' },
      { colour: 'red', id: 'x', version: 7, authorId: 'someone' },
    );
    expect(response.status).toBe(201);
    expect(response.data.item).toMatchObject({ version: 1, data: { title: 'Known keys' } });
    expect(response.data.item.authorId).not.toBe('someone');
    expect(response.data.item).not.toHaveProperty('colour');
  });
});

describe('slug of POST /content/{collection}', () => {
  it.each([
    ['Hello, World!', 'hello-world'],
    ['  Many   spaces_and_underscores  ', 'many-spaces-and-underscores'],
    ['Über Straße', 'über-straße'],
    ['日本語 タイトル', '日本語-タイトル'],
    ['ﬁne Ｗｉｄｅ', 'fine-wide'],
    ['हिन्दी शब्द', 'हिन्दी-शब्द'],
    ['a -- b', 'a-b'],
    ['İstanbul', 'i̇stanbul'],
  ])('is generated from the title: %s', async (title, slug) => {
    expect((await post({ title })).data.item.slug).toBe(slug.normalize('NFKC'));
  });
  it('is generated with at most 80 graphemes', async () => {
    const { slug } = (await post({ title: 'é'.repeat(200) })).data.item;
    expect([...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(slug)]).toHaveLength(80);
  });
  it('is generated as untitled-<hash> from a title without letters', async () => {
    expect((await post({ title: '🎉🎉' })).data.item.slug).toMatch(/^untitled-[0-9a-z]+$/);
  });
  it('is generated from the name without a title, and is null without both', async () => {
    expect((await admin.post('/content/products', { data: { name: 'Oak Desk' } })).data.item.slug).toBe(
      'oak-desk',
    );
    expect((await admin.post('/content/products', { data: { label: 'x' } })).data.item.slug).toBeNull();
    expect((await post({ title: '' })).data.item.slug).toBeNull();
  });
  it('is generated with the next free number when it is taken', async () => {
    const slugs: string[] = [];
    for (let count = 0; count < 3; count += 1) slugs.push((await post({ title: 'Twice' })).data.item.slug);
    expect(slugs).toEqual(['twice', 'twice-1', 'twice-2']);
    await post({ title: 'Other' }, { slug: 'twice-9' });
    expect((await post({ title: 'Twice' })).data.item.slug).toBe('twice-10');
  });
  it('continues after the greatest of many numbers, which one entry of an index has', async () => {
    const insert = (locale: string, numbers: string) =>
      site.sql(
        `INSERT INTO content_posts (id, slug, _locale, _translation_group)
         SELECT md5(slug || '${locale}'), slug, '${locale}', md5(slug || '${locale}')
         FROM (SELECT 'many-' || n AS slug FROM ${numbers} n) numbered`,
      );
    await insert('en', `unnest('{1,2,99,0100,103,20a,1234567890123456}'::text[])`);
    await insert('de', 'generate_series(500, 1500)');
    await post({ title: 'Many' }, { slug: 'many' });
    for (const slug of ['many-104', 'many-105'])
      expect((await post({ title: 'Many' })).data.item.slug).toBe(slug);
    await site.sql('ANALYZE content_posts');
    const [plan] = await site.sql(
      `EXPLAIN (FORMAT JSON, COSTS OFF) SELECT slug FROM content_posts
       WHERE _locale = 'de' AND slug ~ '-[0-9]{1,15}$' AND regexp_replace(slug, '-[0-9]{1,15}$', '') = 'many'
       ORDER BY substring(slug from '[0-9]+$')::bigint DESC LIMIT 1`,
    );
    expect(JSON.stringify(plan)).toMatch(/_slug_number/);
    expect(JSON.stringify(plan)).not.toMatch(/"Sort"/);
    await site.sql(`DELETE FROM content_posts WHERE starts_with(slug, 'many-')`);
  });
  it('is stored as submitted', async () => {
    const slug = 'Given Slug – with, ẞ and 100%';
    expect((await post({ title: 'Ignored' }, { slug })).data.item.slug).toBe(slug);
  });
  it.each([null, ''])('is generated when %j is submitted', async (slug) => {
    const { item } = (await post({ title: `Empty ${String(slug)} given` }, { slug })).data;
    expect(item.slug).toBe(`empty-${slug === null ? 'null-' : ''}given`);
  });
  it('returns 409 SLUG_CONFLICT when it is taken, also by a trashed entry', async () => {
    const { item } = (await post({ title: 'Taken' }, { slug: 'taken' })).data;
    expect(statusAndCode(await post({ title: 'Else' }, { slug: 'taken' }))).toEqual([409, 'SLUG_CONFLICT']);
    await author.delete(`/content/posts/${item.id}`);
    expect(statusAndCode(await post({ title: 'Else' }, { slug: 'taken' }))).toEqual([409, 'SLUG_CONFLICT']);
    expect((await post({ title: 'Taken' })).data.item.slug).toBe('taken-1');
  });
  it('can be reused in another locale and in another collection', async () => {
    await post({ title: 'Shared' });
    expect((await post({ title: 'Shared' }, { locale: 'de' })).data.item.slug).toBe('shared');
    expect((await admin.post('/content/pages', { data: { title: 'Shared' } })).data.item.slug).toBe('shared');
  });
  it.each([
    ['of white space', '   '],
    ['with a slash', 'a/b'],
    ['that is a relative path segment', '..'],
    ['of 256 characters', 'x'.repeat(256)],
    ['with U+0000', 'a\u0000b'],
    ['with half a surrogate pair', 'a\ud800b'],
  ])('returns 400 for a slug %s', async (_name, slug) => {
    const response = await post({ title: 'Bad slug' }, { slug });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual(['slug']);
  });
  it('accepts 255 characters of any script', async () => {
    for (const slug of ['x'.repeat(255), '語'.repeat(255)]) {
      const { item } = (await post({ title: 'Long' }, { slug })).data;
      const found = await author.get(`/content/posts/${encodeURIComponent(slug)}`);
      expect([found.status, found.data?.item.id]).toEqual([200, item.id]);
    }
  });
  it('is unique when 50 requests with one title race', async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => post({ title: 'Rush' })));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    const slugs = responses.map(({ data }) => data.item.slug as string);
    expect(new Set(slugs).size).toBe(50);
    expect(slugs.every((slug) => /^rush(-\d+)?$/.test(slug))).toBe(true);
  });
  it('is generated without conflict when requests with similar titles race', async () => {
    const titles = ['Echo', 'Echo 1', 'Echo 2', 'Echo 3'];
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) => post({ title: titles[index % titles.length] })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(responses.map(({ data }) => data.item.slug as string)).size).toBe(60);
  });
  it('is assigned to one of 20 racing requests', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => post({ title: 'Wanted' }, { slug: 'only-one' })),
    );
    const created = responses.filter(({ status }) => status === 201);
    expect(created).toHaveLength(1);
    expect(responses.filter(({ error }) => error.code === 'SLUG_CONFLICT')).toHaveLength(19);
  });
});

describe('unique fields of POST /content/{collection}', () => {
  it('returns 409 CONFLICT naming the field, also for a value of a trashed entry, never for null', async () => {
    const create = (data: object, more: object = {}) => admin.post('/content/products', { data, ...more });
    const { item } = (await create({ name: 'One', sku: 'A-1' })).data;
    const taken = await create({ name: 'Two', sku: 'A-1' });
    expect(statusAndCode(taken)).toEqual([409, 'CONFLICT']);
    expect(taken.error.message).toContain('sku');
    await admin.delete(`/content/products/${item.id}`);
    expect(statusAndCode(await create({ name: 'Three', sku: 'A-1' }))).toEqual([409, 'CONFLICT']);
    expect((await create({ name: 'Four', sku: null })).status).toBe(201);
    expect((await create({ name: 'Five' })).status).toBe(201);
    expect((await create({ name: 'Six', sku: 'A-1' }, { locale: 'de' })).status).toBe(201);
  });
  it('creates one entry when 20 requests with one value race', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () =>
        admin.post('/content/products', { data: { name: 'Race', sku: 'R-1' } }),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ error }) => error.code === 'CONFLICT')).toHaveLength(19);
    expect((await admin.get('/content/products?q=Race')).data.total).toBe(1);
  });
});

describe('createdAt and publishedAt of POST /content/{collection}', () => {
  it('require content:publish_any', async () => {
    for (const key of ['createdAt', 'publishedAt']) {
      expect(statusAndCode(await post({ title: 'Dated' }, { [key]: '2020-01-01T00:00:00Z' }))).toEqual([
        403,
        'FORBIDDEN',
      ]);
      expect((await post({ title: 'Undated' }, { [key]: null })).status).toBe(201);
    }
  });
  it('are stored in UTC with milliseconds, and do not publish', async () => {
    const dates = { createdAt: '2020-01-01T12:00:00+02:00', publishedAt: '2020-02-01T00:00Z' };
    const { item } = (await admin.post('/content/posts', { data: { title: 'Dated' }, ...dates })).data;
    expect(item).toMatchObject({
      createdAt: '2020-01-01T10:00:00.000Z',
      publishedAt: '2020-02-01T00:00:00.000Z',
      status: 'draft',
    });
  });
  it.each(['2020-01-01', '2020-01-01T00:00:00', 'yesterday', 5])('return 400 for %j', async (createdAt) => {
    const response = await admin.post('/content/posts', { data: {}, createdAt });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual(['createdAt']);
  });
});

describe('seo of POST /content/{collection}', () => {
  it('returns 400 on a collection without SEO', async () => {
    const response = await post({ title: 'Found' }, { seo: { title: 'x' } });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual(['seo']);
  });
  it('is returned with every property on a collection with SEO', async () => {
    const none = { title: null, description: null, image: null, canonical: null, noIndex: false };
    const create = (seo?: object) => admin.post('/content/pages', { data: { title: 'Seen' }, seo });
    expect((await create()).data.item.seo).toEqual(none);
    const seo = { title: 'T', canonical: 'https://example.org/x', noIndex: true };
    expect((await create(seo)).data.item.seo).toEqual({ ...none, ...seo });
  });
  it.each([
    ['seo.title', { title: 'x'.repeat(201) }],
    ['seo.description', { description: 'x'.repeat(501) }],
    ['seo.canonical', { canonical: 'javascript:alert(1)' }],
    ['seo.noIndex', { noIndex: 'yes' }],
    ['seo.title', { title: 'a\u0000' }],
  ])('returns 400 for an invalid %s', async (path, seo) => {
    const response = await admin.post('/content/pages', { data: {}, seo });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual([path]);
  });
});

describe('bylines of POST /content/{collection}', () => {
  it('returns 400 for each unknown id, and creates nothing', async () => {
    const { total } = (await admin.get('/content/posts?q=credited')).data;
    const response = await post(
      { title: 'Credited' },
      { bylines: [{ bylineId: 'nobody' }, { bylineId: 'nemo' }] },
    );
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual(['bylines.0.bylineId', 'bylines.1.bylineId']);
    expect((await admin.get('/content/posts?q=credited')).data.total).toBe(total);
  });
});

describe('translationOf of POST /content/{collection}', () => {
  const product = (data: object, more: object = {}) => admin.post('/content/products', { data, ...more });

  it('joins the translation group and copies untranslatable values', async () => {
    const { item } = (await product({ name: 'Lamp', price: 12.5, label: 'warm' })).data;
    const response = await product({ name: 'Lampe' }, { translationOf: item.id, locale: 'de' });
    expect(response.status).toBe(201);
    expect(response.data.item).toMatchObject({
      locale: 'de',
      translationGroup: item.translationGroup,
      slug: 'lampe',
      data: { name: 'Lampe', price: 12.5, stock: 3 },
    });
    expect(response.data.item.data).not.toHaveProperty('label');
  });
  it('writes a submitted untranslatable value to the whole group', async () => {
    const { item } = (await product({ name: 'Sofa', price: 100 })).data;
    await product({ name: 'Sofa', price: 90 }, { translationOf: item.id, locale: 'de' });
    const source = (await admin.get(`/content/products/${item.id}`)).data.item;
    expect(source.data.price).toBe(90);
    expect(source.version).toBeGreaterThan(item.version);
  });
  it('accepts the id of any member of the group', async () => {
    const { item } = (await product({ name: 'Bed' })).data;
    const german = (await product({ name: 'Bett' }, { translationOf: item.id, locale: 'de' })).data.item;
    const french = (await product({ name: 'Lit' }, { translationOf: german.id, locale: 'fr' })).data.item;
    expect(french.translationGroup).toBe(item.id);
  });
  it('returns 409 CONFLICT when the group has the locale, and creates one when 10 requests race', async () => {
    const { item } = (await product({ name: 'Shelf' })).data;
    expect(statusAndCode(await product({ name: 'Again' }, { translationOf: item.id }))).toEqual([
      409,
      'CONFLICT',
    ]);
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        product({ name: `Regal ${index}` }, { translationOf: item.id, locale: 'de' }),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ error }) => error.code === 'CONFLICT')).toHaveLength(9);
  });
  it('returns 404 NOT_FOUND for a source that is unknown, trashed or in another collection', async () => {
    const { item } = (await product({ name: 'Trashed' })).data;
    await admin.delete(`/content/products/${item.id}`);
    const elsewhere = (await post({ title: 'Elsewhere' })).data.item;
    for (const id of ['01ARZ3NDEKTSV4RRFFQ69G5FAV', item.id, elsewhere.id]) {
      expect(statusAndCode(await product({ name: 'x' }, { translationOf: id, locale: 'de' }))).toEqual([
        404,
        'NOT_FOUND',
      ]);
    }
  });
  it('returns 403 to callers who may not edit the source', async () => {
    const { item } = (await product({ name: 'Of the admin' })).data;
    const response = await author.post('/content/products', {
      data: { name: 'x' },
      translationOf: item.id,
      locale: 'de',
    });
    expect(statusAndCode(response)).toEqual([403, 'FORBIDDEN']);
  });
  it.each(['german language', '-', 'd', 'de_DE', ''])('returns 400 for the locale %j', async (locale) => {
    const response = await post({ title: 'Where' }, { locale });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual(['locale']);
  });
});
