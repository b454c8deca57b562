import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, useSite, type Client } from '@quire/testing';
import { describeToolAccess } from './describe-tool-access.js';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection();
});

let count = 0;
const call = (tool: string, args: object = {}) => callTool(admin, tool, args);
const create = async (more: object = {}) => {
  count += 1;
  const { data } = await call('schema_create_collection', { slug: `c${count}`, label: 'C', ...more });
  return data;
};
const malformed = ['', 'Posts', '1st', 'a-b', '_a', 'a b', `a${'b'.repeat(63)}`, 7];
const knownSlugs = async (): Promise<string[]> =>
  (await call('schema_list_collections')).data.items.map(({ slug }: { slug: string }) => slug);

describe('schema_create_collection', () => {
  it('returns the collection, not wrapped, with the defaults of omitted settings', async () => {
    const created = await create({ slug: 'notes', label: 'Notes' });
    expect(created).toMatchObject({
      id: expect.any(String),
      slug: 'notes',
      label: 'Notes',
      labelSingular: null,
      description: null,
      icon: null,
      supports: ['drafts', 'revisions'],
      urlPattern: null,
      routable: true,
      hasSeo: false,
      group: null,
      editLocking: true,
      titleField: null,
      dateField: null,
      commentsEnabled: false,
      commentsModeration: 'first_time',
      commentsClosedAfterDays: 90,
      commentsAutoApproveUsers: true,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it('stores every setting; the collection takes entries at once', async () => {
    const settings = {
      label: 'Guides',
      labelSingular: 'Guide',
      description: 'Long texts',
      icon: 'book',
      supports: ['search', 'seo'],
      routable: false,
      editLocking: false,
      group: 'Texts',
    };
    expect(await create({ slug: 'guides', ...settings })).toMatchObject({ ...settings, hasSeo: true });
    expect((await admin.post('/content/guides', { data: {} })).status).toBe(201);
  });

  it('keeps supports: []', async () => {
    expect((await create({ supports: [] })).supports).toEqual([]);
  });

  it('ignores arguments that it does not offer', async () => {
    const created = await create({ hidden: true, source: 'seed', sortOrder: 1 });
    expect(created).toMatchObject({ hidden: false, source: 'manual', sortOrder: null });
  });

  it('rejects a taken slug with COLLECTION_EXISTS', async () => {
    const { code, text } = await call('schema_create_collection', { slug: 'posts', label: 'Posts' });
    expect([code, text.includes('posts')]).toEqual(['COLLECTION_EXISTS', true]);
  });

  it.each(['content', 'media', 'users', 'revisions', 'taxonomies', 'options', 'audit_logs', 'reorder'])(
    'rejects the slug %s with RESERVED_SLUG',
    async (slug) => {
      const { code } = await call('schema_create_collection', { slug, label: 'L' });
      expect(code).toBe('RESERVED_SLUG');
    },
  );

  it.each([
    ...malformed.map((slug): [string, unknown] => ['slug', slug]),
    ['label', ' '],
    ['label', undefined],
    ['supports.0', ['comments']],
    ['routable', 'true'],
    ['editLocking', 1],
  ] as [string, unknown][])('rejects %s %j with VALIDATION_ERROR', async (path, value) => {
    const [name = ''] = path.split('.');
    const { code, details } = await call('schema_create_collection', {
      slug: 'x',
      label: 'L',
      [name]: value,
    });
    expect(code).toBe('VALIDATION_ERROR');
    expect(details?.['issues']).toContainEqual({ path, message: expect.any(String) });
    expect(await knownSlugs()).not.toContain('x');
  });
});

describe('schema_list_collections', () => {
  it('lists collections by slug, whatever the order in the panel', async () => {
    for (const slug of ['zz_last', 'aa_first']) await create({ slug });
    await admin.post('/schema/collections/reorder', { slugs: ['zz_last', 'posts'] });
    const slugs = await knownSlugs();
    expect(slugs).toEqual([...slugs].sort());
    expect(slugs).toEqual(expect.arrayContaining(['aa_first', 'posts', 'zz_last']));
  });
});

describe('schema_get_collection', () => {
  it('returns the collection, not wrapped, with its fields in order', async () => {
    const { data } = await call('schema_get_collection', { slug: 'posts' });
    expect(data).toMatchObject({ slug: 'posts', label: 'posts', supports: ['drafts', 'revisions'] });
    expect(data.fields).toMatchObject([
      { slug: 'title', type: 'string', required: false, validation: null },
      { slug: 'body', type: 'text' },
    ]);
  });

  it('returns blocks fields with the block types that they accept', async () => {
    for (const slug of ['quote', 'gallery'])
      await call('schema_create_block_type', { slug, label: slug, fields: [] });
    const blocks = { slug: 'parts', type: 'blocks' as const, validation: { allowedTypes: ['quote'] } };
    await site.collection({ slug: 'paged', fields: [blocks] });
    const { data } = await call('schema_get_collection', { slug: 'paged' });
    expect(data.fields).toMatchObject([
      { slug: 'parts', blockTypes: [{ slug: 'quote', currentVersion: 1, versions: [{ fields: [] }] }] },
    ]);
  });

  it('rejects an unknown collection with NOT_FOUND and its slug', async () => {
    const { code, text } = await call('schema_get_collection', { slug: 'nowhere' });
    expect([code, text.includes('nowhere')]).toEqual(['NOT_FOUND', true]);
  });

  it.each(malformed)('rejects the slug %j with VALIDATION_ERROR', async (slug) => {
    expect((await call('schema_get_collection', { slug })).code).toBe('VALIDATION_ERROR');
  });
});

describe('access', () => {
  describeToolAccess(
    site,
    { scope: 'schema:read', minRole: 'editor' },
    { schema_list_collections: {}, schema_get_collection: { slug: 'posts' } },
  );
  describeToolAccess(
    site,
    { scope: 'schema:write', minRole: 'admin' },
    {
      schema_create_collection: { slug: 'posts', label: 'Posts' },
      schema_update_collection: { slug: 'nowhere' },
      schema_delete_collection: { slug: 'nowhere' },
    },
  );
});
