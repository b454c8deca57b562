import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  issuePaths,
  itemOf,
  openSite,
  statusAndCode,
  useSite,
  type Client,
} from '@quire/testing';
import { createByline, updateByline } from './support.js';

const site = useSite();
let editor: Client;
let userId: string;

beforeAll(async () => {
  editor = await site.as('editor');
  await site.collection();
  userId = (await createEntry(editor)).item.authorId;
});

const post = (body: object) => editor.post('/admin/bylines', body);
const update = (id: string, body: object) => updateByline(editor, id, body);
const create = (body?: object) => createByline(editor, body);

describe('POST /admin/bylines', () => {
  it('creates a byline from slug and name, in the default locale and a new translation group', async () => {
    const response = await post({ slug: 'ann-smith', displayName: 'Ann Smith' });
    expect(response.status).toBe(201);
    expect(response.data).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      slug: 'ann-smith',
      displayName: 'Ann Smith',
      bio: null,
      avatarMediaId: null,
      websiteUrl: null,
      userId: null,
      isGuest: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: response.data.createdAt,
      locale: 'en',
      translationGroup: response.data.id,
      customFields: {},
    });
    expect((await editor.get(`/admin/bylines/${response.data.id}`)).data).toEqual(response.data);
  });
  it('stores all submitted fields', async () => {
    const sent = {
      slug: 'full',
      displayName: 'Füll',
      bio: 'Writes.\nAnd sleeps.',
      avatarMediaId: 'media-1',
      websiteUrl: 'https://example.com/me?a=1',
      isGuest: true,
      locale: 'pt-BR',
    };
    expect((await post(sent)).data).toMatchObject(sent);
  });
  it.each<[string, object, string]>([
    ['no slug', { slug: undefined }, 'slug'],
    ['an empty slug', { slug: '' }, 'slug'],
    ['a slug in capitals', { slug: 'Ann' }, 'slug'],
    ['a slug that begins with a digit', { slug: '1a' }, 'slug'],
    ['a slug with an underscore', { slug: 'a_b' }, 'slug'],
    ['too long a slug', { slug: 'a'.repeat(201) }, 'slug'],
    ['a blank name', { displayName: ' ' }, 'displayName'],
    ['no name', { displayName: undefined }, 'displayName'],
    ['too long a name', { displayName: 'a'.repeat(201) }, 'displayName'],
    ['a name with U+0000', { displayName: 'a\u0000' }, 'displayName'],
    ['too long a biography', { bio: 'a'.repeat(10_001) }, 'bio'],
    ['a site that is no URL', { websiteUrl: 'example.com' }, 'websiteUrl'],
    ['a site with an unsafe scheme', { websiteUrl: 'javascript:alert(1)' }, 'websiteUrl'],
    ['a guest that is no boolean', { isGuest: 'true' }, 'isGuest'],
    ['an unknown user', { userId: 'nobody' }, 'userId'],
    ['a malformed locale', { locale: 'e' }, 'locale'],
    ['translationOf without a locale', { translationOf: 'x' }, 'locale'],
    ['custom fields that are a list', { customFields: [] }, 'customFields'],
  ])('returns 400 for %s', async (_, body, path) => {
    const response = await post({ slug: 'rejected', displayName: 'Rejected', ...body });
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', path]);
  });
  it('returns 409 CONFLICT when the slug is taken in the locale, and accepts it in another locale', async () => {
    await create({ slug: 'taken' });
    expect(statusAndCode(await post({ slug: 'taken', displayName: 'x' }))).toEqual([409, 'CONFLICT']);
    expect((await post({ slug: 'taken', displayName: 'x', locale: 'de' })).status).toBe(201);
  });
  it('creates one byline when 10 requests with one slug race', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => post({ slug: 'wanted', displayName: 'x' })),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ error }) => error.code === 'CONFLICT')).toHaveLength(9);
  });
});

describe('isGuest and userId of a byline', () => {
  it('returns 400 when a request sets both', async () => {
    const response = await post({ slug: 'both', displayName: 'Both', userId, isGuest: true });
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([
      400,
      'VALIDATION_ERROR',
      'isGuest',
    ]);
  });
  it('setting one clears the other', async () => {
    const { id } = await create({ isGuest: true });
    expect((await update(id, { userId })).data).toMatchObject({ userId, isGuest: false });
    expect((await update(id, { isGuest: true })).data).toMatchObject({ userId: null, isGuest: true });
    expect((await update(id, { isGuest: false })).data).toMatchObject({ userId: null, isGuest: false });
  });
  it('returns 400 for a user of another site', async () => {
    const other = await openSite();
    await other.collection();
    const theirs = (await createEntry(await other.as('editor'))).item.authorId;
    const response = await post({ slug: 'foreign', displayName: 'x', userId: theirs });
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([
      400,
      'VALIDATION_ERROR',
      'userId',
    ]);
    await other.close();
  });
});

describe('PUT /admin/bylines/{id}', () => {
  it('updates only the submitted fields and clears fields sent as null', async () => {
    const created = await create({ bio: 'B', avatarMediaId: 'm', websiteUrl: 'https://a.example', userId });
    const renamed = (await update(created.id, { displayName: 'New' })).data;
    expect(renamed).toEqual({ ...created, displayName: 'New', updatedAt: renamed.updatedAt });
    expect(renamed.updatedAt >= created.updatedAt).toBe(true);
    const cleared = { bio: null, avatarMediaId: null, websiteUrl: null, userId: null };
    expect((await update(created.id, cleared)).data).toMatchObject({ ...cleared, displayName: 'New' });
    expect((await update(created.id, {})).status).toBe(200);
  });
  it('ignores another locale or translation group', async () => {
    const { id, translationGroup } = await create();
    const other = await create({ locale: 'de' });
    const response = await update(id, { locale: 'de', translationOf: other.id });
    expect(response.data).toMatchObject({ locale: 'en', translationGroup });
  });
  it('returns 409 CONFLICT for a slug taken in the locale, and changes nothing', async () => {
    const [one, two] = [await create(), await create()];
    expect(statusAndCode(await update(two.id, { slug: one.slug, displayName: 'x' }))).toEqual([
      409,
      'CONFLICT',
    ]);
    expect((await editor.get(`/admin/bylines/${two.id}`)).data).toEqual(two);
    expect((await update(two.id, { slug: two.slug })).status).toBe(200);
  });
  it.each<[object, string]>([
    [{ slug: null }, 'slug'],
    [{ displayName: '' }, 'displayName'],
    [{ websiteUrl: '' }, 'websiteUrl'],
    [{ userId: 'nobody' }, 'userId'],
    [{ bio: 5 }, 'bio'],
  ])('returns 400 for %j', async (body, path) => {
    const { id } = await create();
    const response = await update(id, body);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', path]);
  });
});

describe('an unknown byline id', () => {
  it.each(['01JZZZZZZZZZZZZZZZZZZZZZZZ', 'nothing', '%F0%9F%92%A9'])(
    'returns 404 NOT_FOUND for %s',
    async (id) => {
      const path = `/admin/bylines/${id}`;
      const responses = [
        await editor.get(path),
        await editor.put(path, { displayName: 'x' }),
        await editor.delete(path),
        await editor.get(`${path}/translations`),
        await editor.post(`${path}/translations`, { locale: 'de' }),
        await post({ slug: 'orphan', displayName: 'x', locale: 'de', translationOf: id }),
      ];
      expect(responses.map(statusAndCode)).toEqual(Array(6).fill([404, 'NOT_FOUND']));
    },
  );
});

describe('GET /content/{collection}/{id} with bylines', () => {
  it('returns each byline as GET /admin/bylines/{id} does', async () => {
    const { id } = await create({ bio: 'B', websiteUrl: 'https://a.example', isGuest: true });
    const entry = await createEntry(editor, 'posts', {}, { bylines: [{ bylineId: id }] });
    const byline = (await editor.get(`/admin/bylines/${id}`)).data;
    expect(itemOf(await editor.get(entry.path)).byline).toEqual(byline);
    const { items } = (await editor.get(`/content/posts?bylines=${id}`)).data;
    expect(items[0].bylines[0].byline).toEqual(byline);
  });
});
