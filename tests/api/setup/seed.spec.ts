import { describe, expect, it } from '@jest/globals';
import { useSite, type Client } from '@quire/testing';

const site = useSite({ lifetime: 'test' });

const setUp = async (includeContent: boolean) =>
  (
    await site
      .anonymous()
      .post('/setup', { title: 'My site', includeContent }, { headers: { cookie: site.setupCookie } })
  ).data.result;

interface FieldItem {
  slug: string;
  label: string;
  type: string;
  required: boolean;
  searchable: boolean;
}

async function collection(admin: Client, slug: string) {
  const { item } = (await admin.get(`/schema/collections/${slug}?includeFields=true`)).data;
  const fields = (item.fields as FieldItem[]).map(({ slug, type, required, searchable }) =>
    [slug, type, required ? 'required' : '', searchable ? 'searchable' : ''].filter(Boolean).join(' '),
  );
  const { label, labelSingular, supports, source } = item;
  return { label, labelSingular, supports, source, fields };
}

describe('default content of POST /setup (contract 38)', () => {
  it('creates posts with categories and tags, and pages', async () => {
    await setUp(false);
    const admin = await site.as('admin');
    const shared = { supports: ['drafts', 'revisions', 'search'], source: 'seed' };
    expect(await collection(admin, 'posts')).toEqual({
      ...shared,
      label: 'Posts',
      labelSingular: 'Post',
      fields: [
        'title string required searchable',
        'featured_image image',
        'content portableText searchable',
        'excerpt text',
      ],
    });
    expect(await collection(admin, 'pages')).toEqual({
      ...shared,
      label: 'Pages',
      labelSingular: 'Page',
      fields: ['title string required searchable', 'content portableText searchable'],
    });
    const { taxonomies } = (await admin.get('/taxonomies')).data;
    expect(taxonomies).toMatchObject([
      {
        name: 'category',
        label: 'Categories',
        labelSingular: 'Category',
        hierarchical: true,
        collections: ['posts'],
      },
      { name: 'tag', label: 'Tags', labelSingular: 'Tag', hierarchical: false, collections: ['posts'] },
    ]);
    expect((await admin.get('/content/posts')).data.items).toEqual([]);
  });

  it('creates published entries with includeContent', async () => {
    expect((await setUp(true)).entries).toBe(2);
    const admin = await site.as('admin');
    for (const [slug, entrySlug] of [
      ['posts', 'welcome'],
      ['pages', 'about'],
    ]) {
      const { items } = (await admin.get(`/content/${slug}`)).data;
      expect(items).toMatchObject([{ slug: entrySlug, status: 'published' }]);
    }
  });

  it('is created once for repeated and concurrent requests', async () => {
    const results = await Promise.all([setUp(true), setUp(true), setUp(false)]);
    const sum = (key: string) => results.reduce((total, result) => total + Number(result[key]), 0);
    expect([sum('collections'), sum('fields'), sum('taxonomies'), sum('entries')]).toEqual([2, 6, 2, 2]);
    const again = await setUp(true);
    const nothing = { blockTypes: 0, collections: 0, fields: 0, taxonomies: 0, entries: 0 };
    expect(again).toEqual({ settings: 1, ...nothing });
  });

  it('completes a partially created seed', async () => {
    await setUp(false);
    const admin = await site.as('admin');
    await admin.delete('/schema/collections/pages/fields/content');
    await admin.delete('/taxonomies/tag');
    await site.sql('DELETE FROM users');
    expect(await setUp(false)).toMatchObject({ collections: 0, fields: 1, taxonomies: 1 });
  });

  it('does not change an existing collection of the same name', async () => {
    const admin = await site.as('admin');
    await admin.post('/schema/collections', { slug: 'posts', label: 'My posts' });
    await site.sql('DELETE FROM users');
    expect(await setUp(true)).toMatchObject({ collections: 1, fields: 2, taxonomies: 2, entries: 1 });
    expect(await collection(await site.as('admin'), 'posts')).toMatchObject({
      label: 'My posts',
      fields: [],
    });
  });
});

describe('instance name in GET /_cms/.well-known/auth (contract 34)', () => {
  it("is the site's host until the site has a title", async () => {
    const name = async () =>
      ((await site.anonymous().get('/_cms/.well-known/auth')).body as { instance: { name: string } }).instance
        .name;
    expect(await name()).toBe(site.host);
    await setUp(false);
    expect(await name()).toBe('My site');
  });
});
