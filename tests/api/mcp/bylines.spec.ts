import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, createEntry, itemOf, useSite, type Client } from '@quire/testing';
import { describeToolAccess } from './describe-tool-access.js';

const site = useSite();
let editor: Client;

beforeAll(async () => {
  editor = await site.as('editor');
  await site.collection();
  await (await site.as('admin')).post('/admin/byline-fields', { slug: 'job', label: 'Job', type: 'string' });
});

let count = 0;
const call = (tool: string, args: object = {}) => callTool(editor, tool, args);
const add = (byline: object = {}) => {
  count += 1;
  return call('byline_create', { slug: `person-${count}`, displayName: `Person ${count}`, ...byline });
};
const create = async (byline: object = {}) => (await add(byline)).data;
const update = (id: string, properties: object) => call('byline_update', { id, ...properties });
const get = (id: string) => call('byline_get', { id });
/** The id of a new user. */
const newUser = async () => {
  count += 1;
  const client = await site.another('author', `author-${count}`);
  return (await createEntry(client)).item.authorId as string;
};

describe('byline_create', () => {
  it('returns the byline, not wrapped, with the defaults of omitted properties', async () => {
    const created = await create({ slug: 'jo', displayName: 'Jo' });
    expect(created).toEqual({
      id: expect.any(String),
      slug: 'jo',
      displayName: 'Jo',
      bio: null,
      avatarMediaId: null,
      websiteUrl: null,
      userId: null,
      isGuest: false,
      locale: 'en',
      translationGroup: expect.any(String),
      customFields: {},
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await get(created.id)).data).toEqual(created);
  });

  it('stores every property', async () => {
    const properties = {
      bio: 'Writes.',
      avatarMediaId: 'media-1',
      websiteUrl: 'https://example.com/jo',
      isGuest: true,
      locale: 'de',
      customFields: { job: 'Critic' },
    };
    expect(await create(properties)).toMatchObject(properties);
    const userId = await newUser();
    expect(await create({ userId })).toMatchObject({ userId, isGuest: false });
  });

  it('takes null for every optional property as its absence', async () => {
    const names = ['bio', 'avatarMediaId', 'websiteUrl', 'userId', 'isGuest', 'locale', 'translationOf'];
    const nulls = Object.fromEntries([...names, 'customFields'].map((name) => [name, null]));
    expect(await create(nulls)).toMatchObject({ bio: null, userId: null, isGuest: false, locale: 'en' });
  });

  it('returns an id that credits entries', async () => {
    const { id } = await create();
    const { item } = await createEntry(editor, 'posts', {}, { bylines: [{ bylineId: id }] });
    expect(item.bylines).toMatchObject([{ byline: { id } }]);
  });

  it('rejects a slug that is taken in the locale with CONFLICT', async () => {
    const { slug } = await create();
    expect((await add({ slug })).code).toBe('CONFLICT');
    expect(await create({ slug, locale: 'de' })).toMatchObject({ slug });
  });

  it('rejects a second byline of a user in a locale with CONFLICT, also when calls race', async () => {
    const userId = await newUser();
    const codes = (await Promise.all([1, 2, 3].map(() => add({ userId })))).map(
      ({ code }) => code ?? 'success',
    );
    expect(codes.sort()).toEqual(['CONFLICT', 'CONFLICT', 'success']);
    expect(await create({ userId, locale: 'de' })).toMatchObject({ userId });
  });

  it.each<[string, object]>([
    ['slug', { slug: '' }],
    ['slug', { slug: 'Jo' }],
    ['slug', { slug: '1jo' }],
    ['slug', { slug: 'jo_b' }],
    ['slug', { slug: undefined }],
    ['displayName', { displayName: '' }],
    ['displayName', { displayName: null }],
    ['websiteUrl', { websiteUrl: 'ftp://example.com' }],
    ['websiteUrl', { websiteUrl: 'javascript:alert(1)' }],
    ['websiteUrl', { websiteUrl: 'example.com' }],
    ['isGuest', { isGuest: 'true' }],
    ['userId', { userId: 'unknown' }],
    ['locale', { locale: 'no locale' }],
    ['locale', { translationOf: 'x' }],
    ['locale', { translationOf: 'x', locale: null }],
    ['customFields.unknown', { customFields: { unknown: 'x' } }],
  ])('rejects a wrong %s with VALIDATION_ERROR: %j', async (path, wrong) => {
    const { code, details } = await add(wrong);
    expect(code).toBe('VALIDATION_ERROR');
    expect(details?.['issues']).toContainEqual(expect.objectContaining({ path }));
  });
});

describe('byline_create with translationOf', () => {
  it('joins the group, and takes avatar, website and user of the source unless they are given', async () => {
    const userId = await newUser();
    const source = await create({ avatarMediaId: 'm', websiteUrl: 'https://a.example', bio: 'B', userId });
    const german = await create({ translationOf: source.id, locale: 'de' });
    expect(german).toMatchObject({
      translationGroup: source.translationGroup,
      avatarMediaId: 'm',
      websiteUrl: 'https://a.example',
      bio: null,
      userId,
    });
    const cleared = { websiteUrl: null, userId: null };
    const french = await create({ translationOf: source.translationGroup, locale: 'fr', ...cleared });
    expect(french).toMatchObject({ translationGroup: source.translationGroup, ...cleared });
    const guest = await create({ translationOf: source.id, locale: 'it', isGuest: true });
    expect(guest).toMatchObject({ userId: null, isGuest: true });
  });

  it('rejects a locale that the group has with CONFLICT, and an unknown source with NOT_FOUND', async () => {
    const { id } = await create();
    expect((await add({ translationOf: id, locale: 'en' })).code).toBe('CONFLICT');
    expect((await add({ translationOf: 'unknown', locale: 'de' })).code).toBe('NOT_FOUND');
  });
});

describe('byline_translations', () => {
  it('returns {items} of all locales for the id of each byline and of the group', async () => {
    const source = await create();
    const german = await create({ translationOf: source.id, locale: 'de' });
    for (const id of [source.id, german.id, source.translationGroup])
      expect((await call('byline_translations', { id })).data).toEqual({ items: [german, source] });
  });
});

describe('byline_update', () => {
  it('changes the given properties, keeps omitted ones and clears those that are null', async () => {
    const userId = await newUser();
    const set = { bio: 'B', avatarMediaId: 'm', websiteUrl: 'https://a.example', userId };
    const created = await create({ ...set, customFields: { job: 'Critic' } });
    const { data } = await update(created.id, { displayName: 'New', slug: 'new-slug' });
    expect(data).toEqual({
      ...created,
      displayName: 'New',
      slug: 'new-slug',
      updatedAt: data.updatedAt,
    });
    const cleared = { bio: null, avatarMediaId: null, websiteUrl: null, userId: null };
    const after = (await update(created.id, { ...cleared, customFields: { job: null } })).data;
    expect(after).toMatchObject({ ...cleared, displayName: 'New', customFields: {} });
    await update(created.id, { isGuest: true });
    expect((await update(created.id, { isGuest: null })).data).toMatchObject({ isGuest: false });
  });

  it('ignores locale and translationOf', async () => {
    const { id } = await create();
    expect((await update(id, { locale: 'de', translationOf: 'x' })).data).toMatchObject({ locale: 'en' });
  });

  it('rejects a taken slug, and a user who has a byline in the locale, with CONFLICT', async () => {
    const userId = await newUser();
    const [linked, other] = [await create({ userId }), await create()];
    expect((await update(other.id, { slug: linked.slug })).code).toBe('CONFLICT');
    expect((await update(other.id, { userId })).code).toBe('CONFLICT');
    expect((await update(linked.id, { userId })).data).toMatchObject({ userId });
    expect((await get(other.id)).data).toEqual(other);
  });

  it.each<[string, object]>([
    ['slug', { slug: 'A' }],
    ['slug', { slug: null }],
    ['displayName', { displayName: ' ' }],
    ['websiteUrl', { websiteUrl: '/jo' }],
    ['userId', { userId: 'unknown' }],
  ])('rejects a wrong %s with VALIDATION_ERROR: %j', async (path, wrong) => {
    const { id } = await create();
    const { code, details } = await update(id, wrong);
    expect(code).toBe('VALIDATION_ERROR');
    expect(details?.['issues']).toContainEqual(expect.objectContaining({ path }));
  });
});

describe('byline_delete', () => {
  it('returns {deleted}, and removes the credits of entries, which stay', async () => {
    const { id } = await create();
    const entry = await createEntry(editor, 'posts', {}, { bylines: [{ bylineId: id }] });
    expect((await call('byline_delete', { id })).data).toEqual({ deleted: id });
    const item = itemOf(await editor.get(entry.path));
    expect([item.bylines, item.primaryBylineId]).toEqual([[], null]);
    expect((await call('byline_delete', { id })).code).toBe('NOT_FOUND');
  });
});

describe.each(['byline_get', 'byline_update', 'byline_delete', 'byline_translations'])('%s', (tool) => {
  it('rejects an unknown id with NOT_FOUND, and an empty one with VALIDATION_ERROR', async () => {
    expect((await call(tool, { id: 'unknown' })).code).toBe('NOT_FOUND');
    expect((await call(tool, { id: '' })).code).toBe('VALIDATION_ERROR');
  });
});

describe('access', () => {
  describeToolAccess(
    site,
    { scope: 'content:read', minRole: 'subscriber' },
    { byline_list: {}, byline_get: { id: 'x' }, byline_translations: { id: 'x' } },
  );
  describeToolAccess(
    site,
    { scope: 'content:write', minRole: 'editor' },
    {
      byline_create: { slug: 'x', displayName: 'X', translationOf: 'unknown', locale: 'de' },
      byline_update: { id: 'x' },
      byline_delete: { id: 'x' },
    },
  );
});
