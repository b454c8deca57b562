import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createEntry, issuePaths, itemOf, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;
let count = 0;
/** A collection with the blocks field `body`, whose allowed types are `hero` and `quote`. */
let posts: string;

const field = () => `/schema/collections/${posts}/fields/body`;
const heading = { slug: 'heading', label: 'Heading', type: 'string', validation: { maxLength: 20 } };
const types = {
  hero: [
    { ...heading, required: true },
    { slug: 'link', label: 'Link', type: 'url' },
  ],
  quote: [{ slug: 'status', label: 'Status', type: 'text' }],
  other: [heading],
};

beforeAll(async () => {
  admin = await site.as('admin');
  for (const [slug, fields] of Object.entries(types))
    expect((await admin.post('/schema/block-types', { slug, label: slug, fields })).status).toBe(201);
});
beforeEach(async () => {
  count += 1;
  posts = `posts_${count}`;
  await site.collection({ slug: posts, fields: [{ slug: 'title', type: 'string' }] });
  await addField({ allowedTypes: ['hero', 'quote'] });
});

const addField = async (validation?: object, slug = 'body') => {
  const response = await admin.post(`/schema/collections/${posts}/fields`, {
    slug,
    label: slug,
    type: 'blocks',
    validation,
  });
  expect([response.status, response.error.message]).toEqual([201, '']);
  return response.data.item;
};
const hero = (key = 'k1', more: object = {}) => ({
  _type: 'hero',
  _version: 1,
  _key: key,
  heading: 'Hello',
  ...more,
});

const quote = (key: string) => ({ _type: 'quote', _version: 1, _key: key, status: 'said' });
const create = (body: unknown) => admin.post(`/content/${posts}`, { data: { title: 'T', body } });

describe('a blocks field of an entry (document 3, blocks rules)', () => {
  it('returns blocks as submitted', async () => {
    const blocks = [hero('b'), quote('a')];
    const item = itemOf(await create(blocks));
    expect(item.data.body).toEqual(blocks);
  });

  it('is an empty list without a value, also for entries older than the field', async () => {
    const early = await createEntry(admin, posts, { body: undefined });
    await addField({}, 'late');
    expect(itemOf(await create(undefined)).data).toMatchObject({ body: [], late: [] });
    expect((await early.get()).item.data).toMatchObject({ body: [] });
    const [row] = await site.sql<{ late: unknown }>(`SELECT late FROM content_${posts} WHERE id = $1`, [
      early.id,
    ]);
    expect(row?.late).toEqual([]);
  });

  it('is set to an empty list by null', async () => {
    const entry = await createEntry(admin, posts, { body: [hero()] });
    expect(itemOf(await entry.put({ data: { body: null } })).data.body).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['a value that is not a list', 'text', 'body'],
    ['a block that is not an object', ['x'], 'body.0'],
    ['a missing type', [{ _version: 1, _key: 'k' }], 'body.0._type'],
    ['an unknown type', [hero('k', { _type: 'nothing' })], 'body.0._type'],
    ['a type that the field does not allow', [hero('k', { _type: 'other' })], 'body.0._type'],
    ['a missing version', [hero('k', { _version: undefined })], 'body.0._version'],
    ['an unknown version', [hero('k', { _version: 2 })], 'body.0._version'],
    ['a version of the wrong type', [hero('k', { _version: '1' })], 'body.0._version'],
    ['an empty key', [hero('')], 'body.0._key'],
    ['a duplicate key', [hero('k'), hero('k')], 'body.1._key'],
    ['an unknown field', [hero('k', { colour: 'red' })], 'body.0.colour'],
    ['a missing required field', [hero('k', { heading: undefined })], 'body.0.heading'],
    ['a value of the wrong type', [hero('k', { heading: 5 })], 'body.0.heading'],
    ['a value over its limit', [hero('k', { heading: 'x'.repeat(21) })], 'body.0.heading'],
    ['an unsafe link', [hero('k', { link: 'javascript:alert(1)' })], 'body.0.link'],
    ['more than 100 blocks', Array.from({ length: 101 }, (_, n) => hero(`k${n}`)), 'body'],
  ])('returns 400 with the path for %s', async (_, body, path) => {
    const response = await create(body);
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toContain(path);
  });

  it('accepts 100 blocks', async () => {
    const blocks = Array.from({ length: 100 }, (_, n) => hero(`k${n}`));
    expect(itemOf(await create(blocks)).data.body).toHaveLength(100);
  });

  it('enforces minItems and maxItems', async () => {
    await addField({ allowedTypes: ['hero'], minItems: 1, maxItems: 2 }, 'few');
    const send = (few: unknown) => admin.post(`/content/${posts}`, { data: { few } });
    expect(statusAndCode(await send([]))).toEqual([400, 'VALIDATION_ERROR']);
    expect(statusAndCode(await send([hero('a'), hero('b'), hero('c')]))).toEqual([400, 'VALIDATION_ERROR']);
    expect((await send([hero('a'), hero('b')])).status).toBe(201);
  });

  it('is published, compared, and restored from a revision', async () => {
    const entry = await createEntry(admin, posts, { body: [hero()] });
    await entry.publish();
    await entry.put({ data: { body: [quote('q')] } });
    expect(await entry.compare()).toMatchObject({ live: { body: [hero()] }, draft: { body: [quote('q')] } });
    await entry.publish();
    const { items } = (await admin.get(`${entry.path}/revisions`)).data;
    await admin.post(`/revisions/${items.at(-1).id}/restore`);
    expect((await entry.get()).item.data.body).toEqual([hero()]);
  });

  it('is copied by duplicate and returned in lists', async () => {
    const entry = await createEntry(admin, posts, { body: [hero()] });
    expect(itemOf(await entry.duplicate()).data.body).toEqual([hero()]);
    const { items } = (await admin.get(`/content/${posts}`)).data;
    expect(items[0].data.body).toEqual([hero()]);
  });
});

describe('retiredTypes of a blocks field (document 3: retiredTypes)', () => {
  const allow = async (allowedTypes?: string[]) => {
    const response = await admin.put(field(), { validation: allowedTypes ? { allowedTypes } : null });
    expect(response.status).toBe(200);
    return response.data.item.validation;
  };

  it('are computed by the server; submitted retiredTypes are ignored', async () => {
    expect(await allow(['quote'])).toEqual({ allowedTypes: ['quote'], retiredTypes: ['hero'] });
    const response = await admin.put(field(), {
      validation: { allowedTypes: ['quote'], retiredTypes: ['other'] },
    });
    expect(response.data.item.validation).toEqual({ allowedTypes: ['quote'], retiredTypes: ['hero'] });
    expect(await allow(['hero'])).toEqual({ allowedTypes: ['hero'], retiredTypes: ['quote'] });
    expect(await allow(['hero', 'quote'])).toEqual({ allowedTypes: ['hero', 'quote'] });
  });

  it('contain all other types when allowedTypes is first set', async () => {
    await allow();
    expect(await allow(['hero'])).toEqual({ allowedTypes: ['hero'], retiredTypes: ['other', 'quote'] });
  });

  it('stay valid in stored blocks, and return 400 in new ones', async () => {
    const entry = await createEntry(admin, posts, { body: [hero('old')] });
    await allow(['quote']);
    const changed = await entry.put({ data: { body: [hero('old', { heading: 'Changed' }), quote('q')] } });
    expect(changed.status).toBe(200);
    expect(issuePaths(await entry.put({ data: { body: [hero('old'), hero('new')] } }))).toEqual([
      'body.1._type',
    ]);
    expect(issuePaths(await create([hero('old')]))).toEqual(['body.0._type']);
  });

  it('are copied into a translation of an untranslatable field, and return 400 in new blocks', async () => {
    await admin.delete(field());
    const shared = { slug: 'body', label: 'Body', type: 'blocks', translatable: false };
    const path = `/schema/collections/${posts}/fields`;
    await admin.post(path, { ...shared, validation: { allowedTypes: ['hero', 'quote'] } });
    const entry = await createEntry(admin, posts, { body: [hero('old')] });
    await allow(['quote']);
    const translate = (locale: string, data: object) =>
      admin.post(`/content/${posts}`, { data, locale, translationOf: entry.id });
    expect(itemOf(await translate('de', { title: 'Hallo' })).data).toEqual({
      title: 'Hallo',
      body: [hero('old')],
    });
    expect(itemOf(await translate('fr', { body: [hero('old')] })).data.body).toEqual([hero('old')]);
    expect(issuePaths(await translate('it', { body: [hero('old'), hero('new')] }))).toEqual(['body.1._type']);
  });

  it('return 400 under the key of a block of another type', async () => {
    const entry = await createEntry(admin, posts, { body: [quote('k')] });
    await allow(['quote']);
    expect(issuePaths(await entry.put({ data: { body: [hero('k')] } }))).toEqual(['body.0._type']);
  });

  it('permit publish, duplicate and restore of stored blocks', async () => {
    const entry = await createEntry(admin, posts, { body: [hero('old')] });
    await entry.put({ data: { title: 'Next' } });
    await allow(['quote']);
    expect((await entry.publish()).status).toBe(200);
    expect((await entry.duplicate()).status).toBe(201);
    const { items } = (await admin.get(`${entry.path}/revisions`)).data;
    expect((await admin.post(`/revisions/${items.at(-1).id}/restore`)).status).toBe(200);
  });
});

describe('versions of a block type in stored blocks (contract 15)', () => {
  it('validates a block against its own version', async () => {
    const slug = `versioned_${count}`;
    const first = { slug: 'name', label: 'Name', type: 'string' };
    const second = { slug: 'title', label: 'Title', type: 'integer' };
    const created = (await admin.post('/schema/block-types', { slug, label: slug, fields: [first] })).data
      .item;
    await admin.put(field(), { validation: { allowedTypes: [slug] } });
    const block = (version: number, more: object, key = 'k') => ({
      _type: slug,
      _version: version,
      _key: key,
      ...more,
    });
    const entry = await createEntry(admin, posts, { body: [block(1, { name: 'n' })] });
    await admin.put(`/schema/block-types/${slug}`, {
      expectedFingerprint: created.versions[0].fingerprint,
      fields: [second],
      breaking: true,
    });
    const both = [block(1, { name: 'n' }), block(2, { title: 2 }, 'new')];
    expect(itemOf(await entry.put({ data: { body: both } })).data.body).toEqual(both);
    const swapped = [block(1, { title: 2 }), block(2, { name: 'n' }, 'new')];
    expect(issuePaths(await entry.put({ data: { body: swapped } }))).toEqual(['body.0.title', 'body.1.name']);
  });

  it('applies a widened version at once in every process', async () => {
    const slug = `widened_${count}`;
    const created = (
      await admin.post('/schema/block-types', {
        slug,
        label: slug,
        fields: [{ slug: 'name', label: 'Name', type: 'string', validation: { maxLength: 2 } }],
      })
    ).data.item;
    await admin.put(field(), { validation: { allowedTypes: [slug] } });
    const long = [{ _type: slug, _version: 1, _key: 'k', name: 'long' }];
    expect(issuePaths(await create(long))).toEqual(['body.0.name']);
    await admin.put(`/schema/block-types/${slug}`, {
      expectedFingerprint: created.versions[0].fingerprint,
      fields: [{ slug: 'name', label: 'Name', type: 'string' }],
    });
    expect((await create(long)).status).toBe(201);
  });
});

describe('definition of a blocks field (document 3; contract 14)', () => {
  const define = (more: object) =>
    admin.post(`/schema/collections/${posts}/fields`, {
      slug: 'more',
      label: 'More',
      type: 'blocks',
      ...more,
    });

  it('includes allowed and retired types and their fingerprint', async () => {
    await admin.put(field(), { validation: { allowedTypes: ['quote'] } });
    const item = (await admin.get(field())).data.item;
    expect(item.blockTypes.map(({ slug }: { slug: string }) => slug)).toEqual(['quote', 'hero']);
    expect(item.blockTypeFingerprint).toEqual(expect.any(String));
    const [listed] = (await admin.get(`/schema/collections/${posts}/fields`)).data.items.slice(-1);
    expect(listed).toEqual(item);
    const collection = (await admin.get(`/schema/collections/${posts}?includeFields=true`)).data.item;
    expect(collection.fields.at(-1)).toEqual(item);
  });

  it('includes all types without allowedTypes', async () => {
    const item = await addField(undefined, 'any');
    expect(item.blockTypes.map(({ slug }: { slug: string }) => slug)).toEqual(
      expect.arrayContaining(['hero', 'quote', 'other']),
    );
  });

  it('changes its fingerprint with a block type', async () => {
    const slug = `watched_${count}`;
    const created = (await admin.post('/schema/block-types', { slug, label: slug, fields: [] })).data.item;
    await admin.put(field(), { validation: { allowedTypes: [slug] } });
    const before = (await admin.get(field())).data.item.blockTypeFingerprint;
    const { fingerprint } = created.versions[0];
    await admin.put(`/schema/block-types/${slug}`, { expectedFingerprint: fingerprint, fields: [heading] });
    expect((await admin.get(field())).data.item.blockTypeFingerprint).not.toBe(before);
  });

  it.each([
    ['required', { required: true }],
    ['unique', { unique: true }],
    ['searchable', { searchable: true }],
    ['a default', { defaultValue: [] }],
    ['a widget', { widget: 'x' }],
    ['options', { options: { x: 1 } }],
    ['a maximum over 100', { validation: { maxItems: 101 } }],
    ['minItems above maxItems', { validation: { minItems: 3, maxItems: 2 } }],
    ['an undefined type', { validation: { allowedTypes: ['hero', 'nothing'] } }],
    ['a duplicate type', { validation: { allowedTypes: ['hero', 'hero'] } }],
  ])('returns 400 for %s', async (_, more) => {
    expect(statusAndCode(await define(more))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('returns 400 FIELD_NOT_INDEXABLE for indexed', async () => {
    expect(statusAndCode(await define({ indexed: true }))).toEqual([400, 'FIELD_NOT_INDEXABLE']);
  });

  it('returns 400 FIELD_UPDATE_REQUIRES_MIGRATION for minItems while entries have no blocks', async () => {
    await createEntry(admin, posts, { body: undefined });
    expect(
      statusAndCode(await admin.put(field(), { validation: { allowedTypes: ['hero'], minItems: 1 } })),
    ).toEqual([400, 'FIELD_UPDATE_REQUIRES_MIGRATION']);
  });
});
