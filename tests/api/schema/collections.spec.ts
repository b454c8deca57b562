import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';
import { postCollection, putCollection, readCollection } from './support.js';

const site = useSite();
let admin: Client;
let patterns = 0;

beforeAll(async () => {
  admin = await site.as('admin');
});

const create = (slug: string, more?: object) => postCollection(admin, slug, more);
const update = (slug: string, body: object) => putCollection(admin, slug, body);
const get = (slug: string) => readCollection(admin, slug);
const tables = async () =>
  (
    await site.sql<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
    )
  ).map(({ name }) => name);

/** URL patterns that lead to no path of the site. */
const foreignPatterns = [
  '',
  'posts/{slug}',
  '{slug}',
  'https://x.example/{slug}',
  '//{slug}',
  '/\\{slug}',
  '/%2f{slug}',
  '/../{slug}',
  '/x/%2E%2e/{slug}',
  '/{slug}\n',
  '/x\r\ny/{slug}',
  '/x%0d%0a/{slug}',
  '/\t/{slug}',
];

describe('POST /schema/collections', () => {
  it('returns 201 with every documented property', async () => {
    const response = await create('articles', { label: 'Articles' });
    expect(response.status).toBe(201);
    expect(response.data.item).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      slug: 'articles',
      label: 'Articles',
      labelSingular: null,
      description: null,
      icon: null,
      supports: ['drafts', 'revisions'],
      source: 'manual',
      urlPattern: null,
      routable: true,
      hasSeo: false,
      hidden: false,
      sortOrder: null,
      titleField: null,
      dateField: null,
      commentsEnabled: false,
      commentsModeration: 'first_time',
      commentsClosedAfterDays: 90,
      commentsAutoApproveUsers: true,
      editLocking: true,
      group: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(await get('articles')).toEqual(response.data.item);
  });
  it('stores all submitted properties', async () => {
    const sent = {
      label: 'Shop items',
      labelSingular: 'Shop item',
      description: 'What we sell',
      icon: 'tag',
      admin: { listColumns: ['title', 'price'] },
      supports: ['drafts', 'seo', 'preview', 'scheduling', 'search', 'revisions'],
      source: 'template:shop',
      urlPattern: '/shop/{slug}',
      routable: false,
      hidden: true,
      sortOrder: 7,
      editLocking: false,
      group: 'Shop',
    };
    expect((await create('items', sent)).data.item).toMatchObject({ ...sent, slug: 'items', hasSeo: true });
  });
  it('derives hasSeo from supports unless it is submitted', async () => {
    expect((await create('seo_sent', { supports: ['seo'], hasSeo: false })).data.item.hasSeo).toBe(false);
    expect((await create('seo_alone', { supports: [], hasSeo: true })).data.item).toMatchObject({
      hasSeo: true,
      supports: [],
    });
  });
  it('trims the group, and stores null for an empty one', async () => {
    expect((await create('grouped', { group: '  Site ' })).data.item.group).toBe('Site');
    expect((await create('ungrouped', { group: '  ' })).data.item.group).toBeNull();
  });
  it('stores a duplicate support once', async () => {
    expect((await create('doubled', { supports: ['seo', 'seo'] })).data.item.supports).toEqual(['seo']);
    expect((await update('doubled', { supports: ['drafts', 'drafts'] })).data.item.supports).toEqual([
      'drafts',
    ]);
  });
  it.each(['content', 'media', 'users', 'revisions', 'taxonomies', 'options', 'audit_logs', 'reorder'])(
    'returns 400 RESERVED_SLUG for %s',
    async (slug) => {
      expect(statusAndCode(await create(slug))).toEqual([400, 'RESERVED_SLUG']);
    },
  );
  it.each([
    '',
    'Posts',
    '1st',
    '_posts',
    'blog-posts',
    'blog posts',
    'a"b',
    "a'b",
    'a;DROP',
    'ä',
    '記事',
    'a\n',
    'a\u0000',
    'x'.repeat(64),
  ])('returns 400 INVALID_SLUG for %j', async (slug) => {
    expect(statusAndCode(await create(slug))).toEqual([400, 'INVALID_SLUG']);
  });
  it.each([
    'select',
    'user',
    'table',
    'order',
    'constructor',
    'a',
    'a_',
    'v2',
    'collections',
    'fields',
    'content_posts',
  ])('accepts the slug %s', async (slug) => {
    expect((await create(slug)).status).toBe(201);
    expect((await admin.post(`/content/${slug}`, { data: {} })).status).toBe(201);
  });
  it('accepts slugs of 63 characters that differ only in the last one', async () => {
    for (const last of ['a', 'b']) {
      const slug = 'x'.repeat(62) + last;
      expect((await create(slug)).status).toBe(201);
      expect((await admin.post(`/content/${slug}`, { data: {}, slug: last })).status).toBe(201);
    }
    const found = await admin.get(`/content/${'x'.repeat(62)}a`);
    expect(found.data.items).toHaveLength(1);
  });
  it('accepts slugs that resemble indexes of another collection', async () => {
    for (const slug of ['crew__slug_key', 'crew_pkey', 'crew', 'crew__name_index'])
      expect((await create(slug)).status).toBe(201);
    expect((await admin.post('/content/crew', { data: {}, slug: 'one' })).status).toBe(201);
    expect(statusAndCode(await admin.post('/content/crew', { data: {}, slug: 'one' }))).toEqual([
      409,
      'SLUG_CONFLICT',
    ]);
  });
  it.each([
    ['slug', {}, { slug: undefined }],
    ['label', {}, { label: undefined }],
    ['label', {}, { label: '  ' }],
    ['label', {}, { label: 'a\u0000' }],
    ['supports.0', {}, { supports: ['everything'] }],
    ['source', {}, { source: 'template:' }],
    ['urlPattern', {}, { urlPattern: '/x/{slug' }],
    ['urlPattern', {}, { urlPattern: '/x/}slug{' }],
    ['urlPattern', {}, { urlPattern: '/x/{}' }],
    ['urlPattern', {}, { urlPattern: '/x/{{slug}}' }],
    ...foreignPatterns.map((urlPattern) => ['urlPattern', {}, { urlPattern }] as const),
    ['admin.listColumns', {}, { admin: { listColumns: ['a', 'b', 'c', 'd', 'e'] } }],
    ['admin.listColumns.0', {}, { admin: { listColumns: ['a"b'] } }],
    ['sortOrder', {}, { sortOrder: 1.5 }],
    ['sortOrder', {}, { sortOrder: 2 ** 31 }],
    ['routable', {}, { routable: 'true' }],
  ])('returns 400 naming %s', async (path, _none, body) => {
    const response = await create('never', body);
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual([path]);
  });
  it.each(['/{slug}', '/', '/{locale}/{slug}', '/{year}-{month}/{slug}.html', '/ä/{slug}/', '/?p={id}'])(
    'accepts the urlPattern %s',
    async (urlPattern) => {
      const slug = `pattern_${(patterns += 1)}`;
      expect((await create(slug, { urlPattern })).data.item.urlPattern).toBe(urlPattern);
      expect((await update(slug, { urlPattern: '//{slug}' })).error.code).toBe('VALIDATION_ERROR');
      expect((await get(slug)).urlPattern).toBe(urlPattern);
    },
  );
  it('validates a long urlPattern in linear time', async () => {
    const response = await create('never', { urlPattern: `/${'a'.repeat(400)}{` });
    expect(issuePaths(response)).toEqual(['urlPattern']);
  });
  it('returns 409 COLLECTION_EXISTS for a taken slug, and creates one collection when 10 requests race', async () => {
    expect(statusAndCode(await create('articles'))).toEqual([409, 'COLLECTION_EXISTS']);
    const responses = await Promise.all(Array.from({ length: 10 }, () => create('raced')));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ error }) => error.code === 'COLLECTION_EXISTS')).toHaveLength(9);
  });
  it('returns 409 with the path that registers an orphaned table of the slug, and creates nothing', async () => {
    await site.sql('CREATE TABLE content_lost (id text PRIMARY KEY)');
    const response = await create('lost');
    expect(statusAndCode(response)).toEqual([409, 'COLLECTION_EXISTS']);
    expect(response.error.message).toContain('/schema/orphans/lost');
    expect(statusAndCode(await admin.get('/schema/collections/lost'))).toEqual([404, 'NOT_FOUND']);
    await site.sql('DROP TABLE content_lost');
    expect((await create('lost')).status).toBe(201);
  });
  it('creates no table for an invalid request', async () => {
    await create('never', { label: '' });
    await create('Never');
    expect((await tables()).filter((name) => name.toLowerCase() === 'content_never')).toEqual([]);
  });
});

describe('GET /schema/collections/{slug}', () => {
  it('returns fields in display order with includeFields=true, and none otherwise', async () => {
    await site.collection({ slug: 'fielded' });
    const { item } = (await admin.get('/schema/collections/fielded?includeFields=true')).data;
    expect(item.fields.map(({ slug }: { slug: string }) => slug)).toEqual(['title', 'body']);
    expect(item.fields).toEqual((await admin.get('/schema/collections/fielded/fields')).data.items);
    for (const query of ['', '?includeFields=false'])
      expect((await admin.get(`/schema/collections/fielded${query}`)).data.item).not.toHaveProperty('fields');
  });
  it('returns 404 NOT_FOUND for an unknown collection', async () => {
    for (const slug of ['nothing', 'FIELDED', 'x'.repeat(300)])
      expect(statusAndCode(await admin.get(`/schema/collections/${slug}`))).toEqual([404, 'NOT_FOUND']);
  });
  it.each(['maybe', '1', ''])('returns 400 for includeFields=%s', async (value) => {
    expect(statusAndCode(await admin.get(`/schema/collections/fielded?includeFields=${value}`))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
  it('returns 400 VALIDATION_ERROR for a slug with U+0000', async () => {
    for (const path of ['%00', 'fielded/fields/%00'])
      expect(statusAndCode(await admin.get(`/schema/collections/${path}`))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
  });
});
