import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  describePermissions,
  eventually,
  issuePaths,
  openRowLock,
  openSite,
  statusAndCode,
  useSite,
  waitUntilBlocked,
  type Client,
} from '@quire/testing';

const path = '/import/legacy/prepare';
const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
});

const prepare = (...postTypes: object[]) =>
  admin.post(path, {
    postTypes: postTypes.map((postType) => ({ name: 'type', enabled: true, ...postType })),
  });
const collection = async (slug: string) =>
  (await admin.get(`/schema/collections/${slug}?includeFields=true`)).data.item;
const fieldsOf = async (slug: string) =>
  (await collection(slug)).fields.map(
    ({ slug: field, type, required, searchable }: Record<string, unknown>) =>
      `${field as string} ${type as string}${required ? ' required' : ''}${searchable ? ' searchable' : ''}`,
  );
const field = (slug: string, type: string, more: object = {}) => ({
  slug,
  label: slug,
  type,
  required: false,
  ...more,
});
const nothing = { success: true, collectionsCreated: [], fieldsCreated: [], errors: [] };

describePermissions(
  () => site,
  [
    {
      permission: 'import:execute',
      minRole: 'admin',
      scopes: ['admin'],
      expectedStatus: 200,
      operations: { prepareImport: (client) => client.post(path, { postTypes: [] }) },
    },
  ],
);

describe('POST /import/legacy/prepare', () => {
  it('creates posts and pages with the default fields, and makes them searchable', async () => {
    const { status, data } = await prepare(
      { name: 'post', collection: 'posts' },
      { name: 'page', collection: 'pages' },
    );
    expect(status).toBe(200);
    const fields = ['title', 'content', 'excerpt', 'featured_image'];
    expect(data).toEqual({
      success: true,
      collectionsCreated: ['posts', 'pages'],
      fieldsCreated: [
        ...fields.map((name) => ({ collection: 'posts', field: name })),
        ...[...fields, 'parent'].map((name) => ({ collection: 'pages', field: name })),
      ],
      errors: [],
    });
    expect(await collection('posts')).toMatchObject({
      label: 'Posts',
      labelSingular: 'Post',
      supports: ['drafts', 'revisions', 'search'],
      urlPattern: '/blog/{slug}',
      source: 'import:legacy',
    });
    expect(await collection('pages')).toMatchObject({ labelSingular: 'Page', urlPattern: '/{slug}' });
    expect(await fieldsOf('posts')).toEqual([
      'title string required searchable',
      'content portableText searchable',
      'excerpt text',
      'featured_image image',
    ]);
    const searched = await eventually(
      async () => Object.keys((await admin.get('/search/stats')).data.collections).sort(),
      (slugs) => slugs.length === 2,
    );
    expect(searched).toEqual(['pages', 'posts']);
  });

  it('changes nothing when it is repeated', async () => {
    const types = [
      { collection: 'repeated', fields: [field('price', 'number'), field('parent', 'reference')] },
    ];
    expect((await prepare(...types)).data.collectionsCreated).toEqual(['repeated']);
    const before = await collection('repeated');
    expect((await prepare(...types)).data).toEqual(nothing);
    expect(await collection('repeated')).toEqual(before);
  });

  it('makes a collection searchable after the end of transactions that keep it locked', async () => {
    const other = await openSite();
    const lock = await openRowLock(other);
    try {
      const client = await other.as('admin');
      await lock.acquire('LOCK TABLE change_subscriptions IN SHARE MODE');
      const postTypes = [{ name: 'post', collection: 'posts' }];
      expect((await client.post(path, { postTypes })).data.success).toBe(true);
      await waitUntilBlocked(other, ['change_subscriptions']);
      // The subscription gives up and lets other requests pass.
      await createEntry(client, 'posts', { body: undefined, title: 'Late' }).then((entry) => entry.publish());
      await lock.rollback();
      const found = await eventually(
        async () => (await client.get('/search?q=Late')).data?.items ?? [],
        ({ length }: unknown[]) => length === 1,
        60_000,
      );
      expect(found).toMatchObject([{ title: 'Late' }]);
    } finally {
      await lock.close();
      await other.close();
    }
  });

  it('creates a collection of another name without URL pattern and search, with a legal slug', async () => {
    const { data } = await prepare({ name: 'Users', collection: 'Users' }, { collection: 'Shop-Categories' });
    expect(data.collectionsCreated).toEqual(['legacy_users', 'shop_categories']);
    expect(await collection('shop_categories')).toMatchObject({
      label: 'Shop categories',
      labelSingular: 'Shop category',
      supports: ['drafts', 'revisions'],
      urlPattern: null,
    });
  });

  it('leaves out disabled types; a type without `enabled` is enabled', async () => {
    const { data } = await admin.post(path, {
      postTypes: [
        { name: 'a', collection: 'off', enabled: false },
        { name: 'b', collection: 'absent', fields: [] },
      ],
    });
    expect(data).toEqual({ ...nothing, collectionsCreated: ['absent'] });
  });

  it('adds missing fields to a collection, and leaves those of a compatible type unchanged', async () => {
    await site.collection({
      slug: 'notes',
      fields: [
        { slug: 'title', type: 'text', label: 'Ours' },
        { slug: 'content', type: 'json' },
        { slug: 'count', type: 'integer' },
      ],
    });
    const fields = [
      field('title', 'string', { required: true, searchable: true }),
      field('content', 'portableText'),
      field('count', 'number'),
      field('extra', 'boolean'),
    ];
    expect((await prepare({ collection: 'notes', fields })).data).toEqual({
      ...nothing,
      fieldsCreated: [{ collection: 'notes', field: 'extra' }],
    });
    expect(await fieldsOf('notes')).toEqual(['title text', 'content json', 'count integer', 'extra boolean']);
    expect((await collection('notes')).supports).toEqual(['drafts', 'revisions']);
  });

  it('refuses a collection with a field of an incompatible type as a whole, and goes on with the others', async () => {
    await site.collection({ slug: 'clash', fields: [{ slug: 'title', type: 'integer' }] });
    const { status, data } = await prepare({ collection: 'clash' }, { collection: 'next', fields: [] });
    expect(status).toBe(200);
    expect(data).toEqual({
      success: false,
      collectionsCreated: ['next'],
      fieldsCreated: [],
      errors: [{ collection: 'clash', error: "Fields of other types: 'title' is integer, not string" }],
    });
    expect(await fieldsOf('clash')).toEqual(['title integer']);
  });

  it('creates a field for parents as a single selection of entries of its own collection', async () => {
    await prepare({ collection: 'docs', fields: [field('parent', 'reference', { label: 'Parent' })] });
    const { fields } = await collection('docs');
    expect(fields).toMatchObject([
      {
        slug: 'parent',
        label: 'Parent',
        type: 'reference',
        validation: { targetCollection: 'docs', relation: 'docs_parent', relationSide: 'parent' },
      },
    ]);
    const { relations } = (await admin.get('/relations?collection=docs')).data;
    expect(relations).toMatchObject([{ slug: 'docs_parent', maxChildrenPerParent: 1 }]);
  });

  it('keeps another field in the place of the one for parents', async () => {
    await site.collection({ slug: 'families', fields: [{ slug: 'parent', type: 'string' }] });
    const fields = [field('parent', 'reference'), field('price', 'number')];
    expect((await prepare({ collection: 'families', fields })).data).toEqual({
      ...nothing,
      fieldsCreated: [{ collection: 'families', field: 'price' }],
    });
    expect(await fieldsOf('families')).toEqual(['parent string', 'price number']);
  });

  it('reports fields that the schema refuses, and creates the others', async () => {
    const fields = [
      field('status', 'string'),
      field('Bad Slug', 'string'),
      field('ctid', 'string'),
      field('picture', 'image', { searchable: true }),
      field('good', 'string'),
      field('good', 'string'),
    ];
    const { data } = await prepare({ collection: 'picky', fields });
    expect(data).toMatchObject({
      success: false,
      collectionsCreated: ['picky'],
      fieldsCreated: expect.arrayContaining([{ collection: 'picky', field: 'good' }]),
    });
    const errors: { error: string }[] = data.errors;
    expect(errors.map(({ error }) => error.split(':')[0])).toEqual(
      expect.arrayContaining(['status', 'Bad Slug', 'ctid']),
    );
    expect(errors.find(({ error }) => error.startsWith('status'))?.error).toMatch(/reserved/);
  });

  it('reports a field of an unknown type without failing', async () => {
    const { data } = await prepare({
      collection: 'odd',
      fields: [field('x', 'money'), field('y', 'string')],
    });
    expect(data).toEqual({
      success: true,
      collectionsCreated: ['odd'],
      fieldsCreated: [{ collection: 'odd', field: 'y' }],
      errors: [{ collection: 'odd', error: "x: 'money' is not a field type" }],
    });
  });

  it('reports a collection whose table is an orphan', async () => {
    await site.sql('CREATE TABLE content_stray (id text)');
    const { data } = await prepare({ collection: 'stray' });
    expect(data).toMatchObject({ success: false, collectionsCreated: [], errors: [{ collection: 'stray' }] });
  });

  it('creates each part once in concurrent requests', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => prepare({ collection: 'raced' })));
    expect(responses.map(({ data }) => data.success)).toEqual([true, true, true]);
    expect(responses.flatMap(({ data }) => data.collectionsCreated)).toEqual(['raced']);
    expect(responses.flatMap(({ data }) => data.fieldsCreated)).toHaveLength(4);
  });

  it.each<[string, object, string[]]>([
    ['no list', {}, ['postTypes']],
    ['a type without a collection', { postTypes: [{ name: 'x' }] }, ['postTypes.0.collection']],
    ['an empty name', { postTypes: [{ name: '', collection: 'x' }] }, ['postTypes.0.name']],
    [
      'a field without a type',
      { postTypes: [{ name: 'x', collection: 'x', fields: [{ slug: 'a', label: 'A', required: true }] }] },
      ['postTypes.0.fields.0.type'],
    ],
  ])('rejects %s', async (_name, body, paths) => {
    const response = await admin.post(path, body);
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual(paths);
  });

  it('rejects a session without the CSRF header', async () => {
    const session = await site.signedIn('admin');
    const headers = { 'x-cms-request': undefined };
    const response = await session.post(path, { postTypes: [] }, { headers });
    expect(statusAndCode(response)).toEqual([403, 'CSRF_REJECTED']);
  });

  it('is rejected while the site is read-only', async () => {
    const readOnly = await openSite();
    await readOnly.sql("INSERT INTO read_only_modes (code) VALUES ('MEDIA_USAGE_ACTIVATION_IN_PROGRESS')");
    const response = await (await readOnly.as('admin')).post(path, { postTypes: [] });
    expect(statusAndCode(response)).toEqual([503, 'MEDIA_USAGE_ACTIVATION_IN_PROGRESS']);
    await readOnly.close();
  });

  it('changes no other site', async () => {
    const other = await openSite();
    await prepare({ collection: 'own' });
    const response = await (await other.as('admin')).get('/schema/collections/own');
    expect(response.status).toBe(404);
    await other.close();
  });

  it('is not part of the OpenAPI document', async () => {
    const { text } = await admin.get('/openapi.json');
    expect(text).toContain('/schema/collections');
    expect(text).not.toContain('/import/');
  });
});
