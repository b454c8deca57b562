import { beforeAll, describe, expect, it } from '@jest/globals';
import { itemOf, openSite, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;
let author: Client;
beforeAll(async () => {
  admin = await site.as('admin');
  author = await site.as('author');
  const title = { slug: 'title', type: 'string', required: true } as const;
  await site.collection({ slug: 'posts', fields: [title, { slug: 'parts', type: 'blocks' }] });
  await site.collection({ slug: 'pages', fields: [] });
  await admin.post('/schema/collections', { slug: 'notes', label: 'Notes', hidden: true });
});

const bootstrap = async (client = author) => (await client.get('/panel/bootstrap')).data;

describe('GET /panel/bootstrap', () => {
  it('returns collections in the order of the panel, hidden ones too, with their whole fields', async () => {
    await admin.post('/schema/collections/reorder', { slugs: ['pages', 'notes', 'posts'] });
    const { collections } = await bootstrap();
    expect(collections.map(({ slug, hidden }: { slug: string; hidden: boolean }) => [slug, hidden])).toEqual([
      ['pages', false],
      ['notes', true],
      ['posts', false],
    ]);
    const posts = itemOf(await admin.get('/schema/collections/posts?includeFields=true'));
    const [title, parts] = posts.fields;
    // A blocks field has its block types beside the collections, once for all fields.
    const { blockTypes: _types, blockTypeFingerprint: _fingerprint, ...field } = parts;
    expect(collections[2]).toEqual({ ...posts, fields: [title, field] });
  });

  it('returns block types and relations as their own operations do, without counting links', async () => {
    await admin.post('/schema/block-types', {
      slug: 'quote',
      label: 'Quote',
      fields: [{ slug: 'text', label: 'Text', type: 'string' }],
    });
    await admin.post('/relations', {
      slug: 'related',
      parentCollection: 'posts',
      childCollection: 'pages',
      parentLabel: 'Posts',
      childLabel: 'Pages',
    });
    const { blockTypes, relations } = await bootstrap();
    const [relation] = (await admin.get('/relations')).data.relations;
    const { name: _name, boundFields: _fields, linkCount: _count, ...stored } = relation;
    expect(relations).toEqual([stored]);
    expect(blockTypes).toEqual((await admin.get('/schema/block-types')).data.items);
    expect(blockTypes).toHaveLength(1);
  });

  it('returns the taxonomies, the site and the locales', async () => {
    await admin.post('/taxonomies', { name: 'genre', label: 'Genres', collections: ['posts'] });
    await admin.put('/settings', { title: 'My site', url: 'https://site.example/blog' });
    expect(await bootstrap()).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      site: { title: 'My site', url: 'https://site.example/blog', timezone: 'UTC' },
      locales: { default: 'en', configured: null },
      taxonomies: [{ name: 'genre', label: 'Genres', locale: 'en', collections: ['posts'] }],
      preview: { origin: 'https://site.example' },
    });
    await admin.put('/settings', { timezone: 'Europe/Berlin', url: 'http://site.example' });
    expect(await bootstrap()).toMatchObject({
      site: { timezone: 'Europe/Berlin' },
      preview: { origin: null },
    });
  });

  it('returns the limits of uploads and the path of previews', async () => {
    const { uploads, preview } = await bootstrap();
    expect(uploads.maxBytes).toBeGreaterThan(0);
    expect(uploads.mimeTypes).toEqual(expect.arrayContaining(['image/png', 'video/']));
    expect(preview.pattern).toMatch(/^\//);
  });

  it('returns 304 for a matching If-None-Match, until something of it changes', async () => {
    const etag = String((await author.get('/panel/bootstrap')).headers.get('etag'));
    const poll = () => author.get('/panel/bootstrap', { headers: { 'if-none-match': etag } });
    await author.post('/content/posts', { data: { title: 'An entry' } });
    expect((await poll()).status).toBe(304);
    await admin.put('/schema/collections/posts/fields/title', { label: 'Headline' });
    expect((await poll()).status).toBe(200);
  });

  it('needs the permission to read drafts, and for tokens the scope admin', async () => {
    expect((await (await site.as('contributor')).get('/panel/bootstrap')).status).toBe(200);
    expect((await (await site.signedIn('author')).get('/panel/bootstrap')).status).toBe(200);
    const outcomeOf = async (client: Client) => statusAndCode(await client.get('/panel/bootstrap'));
    expect(await outcomeOf(await site.as('subscriber'))).toEqual([403, 'FORBIDDEN']);
    expect(await outcomeOf(await site.withScopes('admin', ['content:read']))).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
    ]);
    expect(await outcomeOf(site.anonymous())).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('returns nothing of another site', async () => {
    const other = await openSite();
    try {
      const { collections, blockTypes, relations, taxonomies } = await bootstrap(await other.as('admin'));
      expect([collections, blockTypes, relations, taxonomies]).toEqual([[], [], [], []]);
    } finally {
      await other.close();
    }
  });
});
