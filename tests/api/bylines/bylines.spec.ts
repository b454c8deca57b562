import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  issuePaths,
  itemOf,
  createEntry,
  openSite,
  statusAndCode,
  type Client,
  type Site,
} from '@quire/testing';

let site: Site;
let editor: Client;
let userId: string;

beforeAll(async () => {
  site = await openSite();
  editor = await site.as('editor');
  await site.collection();
  userId = (await createEntry(editor)).item.authorId;
});
afterAll(() => site.close());

const post = (body: object) => editor.post('/admin/bylines', body);
const put = (id: string, body: object) => editor.put(`/admin/bylines/${id}`, body);
let count = 0;
const make = async (body: object = {}) => {
  count += 1;
  const answer = await post({ slug: `person-${count}`, displayName: `Person ${count}`, ...body });
  expect(statusAndCode(answer)).toEqual([201, '']);
  return answer.data;
};

describe('a new byline', () => {
  it('needs no more than slug and name, and is in the default locale, of a group of its own', async () => {
    const answer = await post({ slug: 'ann-smith', displayName: 'Ann Smith' });
    expect(answer.status).toBe(201);
    expect(answer.data).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      slug: 'ann-smith',
      displayName: 'Ann Smith',
      bio: null,
      avatarMediaId: null,
      websiteUrl: null,
      userId: null,
      isGuest: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: answer.data.createdAt,
      locale: 'en',
      translationGroup: answer.data.id,
      customFields: {},
    });
    expect((await editor.get(`/admin/bylines/${answer.data.id}`)).data).toEqual(answer.data);
  });
  it('keeps all that is sent', async () => {
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
  ])('is refused with %s', async (_, body, path) => {
    const answer = await post({ slug: 'refused', displayName: 'Refused', ...body });
    expect([...statusAndCode(answer), ...issuePaths(answer)]).toEqual([400, 'VALIDATION_ERROR', path]);
  });
  it('answers CONFLICT when its slug is taken in its locale, and takes it in another', async () => {
    await make({ slug: 'taken' });
    expect(statusAndCode(await post({ slug: 'taken', displayName: 'x' }))).toEqual([409, 'CONFLICT']);
    expect((await post({ slug: 'taken', displayName: 'x', locale: 'de' })).status).toBe(201);
  });
  it('is made once when ten ask for one slug at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post({ slug: 'wanted', displayName: 'x' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ error }) => error.code === 'CONFLICT')).toHaveLength(9);
  });
});

describe('a byline is a guest or linked to a user', () => {
  it('and never both in one request', async () => {
    const answer = await post({ slug: 'both', displayName: 'Both', userId, isGuest: true });
    expect([...statusAndCode(answer), ...issuePaths(answer)]).toEqual([400, 'VALIDATION_ERROR', 'isGuest']);
  });
  it('so that linking a guest, and making a linked one a guest, each end the other', async () => {
    const { id } = await make({ isGuest: true });
    expect((await put(id, { userId })).data).toMatchObject({ userId, isGuest: false });
    expect((await put(id, { isGuest: true })).data).toMatchObject({ userId: null, isGuest: true });
    expect((await put(id, { isGuest: false })).data).toMatchObject({ userId: null, isGuest: false });
  });
  it('and a user of another site is no user', async () => {
    const other = await openSite();
    await other.collection();
    const theirs = (await createEntry(await other.as('editor'))).item.authorId;
    const answer = await post({ slug: 'foreign', displayName: 'x', userId: theirs });
    expect([...statusAndCode(answer), ...issuePaths(answer)]).toEqual([400, 'VALIDATION_ERROR', 'userId']);
    await other.close();
  });
});

describe('a changed byline', () => {
  it('keeps what is not sent, and null clears', async () => {
    const made = await make({ bio: 'B', avatarMediaId: 'm', websiteUrl: 'https://a.example', userId });
    const renamed = (await put(made.id, { displayName: 'New' })).data;
    expect(renamed).toEqual({ ...made, displayName: 'New', updatedAt: renamed.updatedAt });
    expect(renamed.updatedAt >= made.updatedAt).toBe(true);
    const nothing = { bio: null, avatarMediaId: null, websiteUrl: null, userId: null };
    expect((await put(made.id, nothing)).data).toMatchObject({ ...nothing, displayName: 'New' });
    expect((await put(made.id, {})).status).toBe(200);
  });
  it('cannot move to another locale or group', async () => {
    const { id, translationGroup } = await make();
    const other = await make({ locale: 'de' });
    const answer = await put(id, { locale: 'de', translationOf: other.id });
    expect(answer.data).toMatchObject({ locale: 'en', translationGroup });
  });
  it('answers CONFLICT for a slug that another of its locale has, and stays as it was', async () => {
    const [one, two] = [await make(), await make()];
    expect(statusAndCode(await put(two.id, { slug: one.slug, displayName: 'x' }))).toEqual([409, 'CONFLICT']);
    expect((await editor.get(`/admin/bylines/${two.id}`)).data).toEqual(two);
    expect((await put(two.id, { slug: two.slug })).status).toBe(200);
  });
  it.each<[object, string]>([
    [{ slug: null }, 'slug'],
    [{ displayName: '' }, 'displayName'],
    [{ websiteUrl: '' }, 'websiteUrl'],
    [{ userId: 'nobody' }, 'userId'],
    [{ bio: 5 }, 'bio'],
  ])('is refused as %j', async (body, path) => {
    const { id } = await make();
    const answer = await put(id, body);
    expect([...statusAndCode(answer), ...issuePaths(answer)]).toEqual([400, 'VALIDATION_ERROR', path]);
  });
});

describe('an unknown byline', () => {
  it.each(['01JZZZZZZZZZZZZZZZZZZZZZZZ', 'nothing', '%F0%9F%92%A9'])('%s answers NOT_FOUND', async (id) => {
    const path = `/admin/bylines/${id}`;
    const answers = [
      await editor.get(path),
      await editor.put(path, { displayName: 'x' }),
      await editor.delete(path),
      await editor.get(`${path}/translations`),
      await editor.post(`${path}/translations`, { locale: 'de' }),
      await post({ slug: 'orphan', displayName: 'x', locale: 'de', translationOf: id }),
    ];
    expect(answers.map(statusAndCode)).toEqual(Array(6).fill([404, 'NOT_FOUND']));
  });
});

describe('the bylines of an entry answer', () => {
  it('are those of the byline itself', async () => {
    const { id } = await make({ bio: 'B', websiteUrl: 'https://a.example', isGuest: true });
    const entry = await createEntry(editor, 'posts', {}, { bylines: [{ bylineId: id }] });
    const byline = (await editor.get(`/admin/bylines/${id}`)).data;
    expect(itemOf(await editor.get(entry.path)).byline).toEqual(byline);
    const { items } = (await editor.get(`/content/posts?bylines=${id}`)).data;
    expect(items[0].bylines[0].byline).toEqual(byline);
  });
});
