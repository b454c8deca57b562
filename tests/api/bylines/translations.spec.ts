import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';
import { createByline, translateByline } from './support.js';

const site = useSite();
let editor: Client;
let userId: string;

beforeAll(async () => {
  editor = await site.as('editor');
  await site.collection();
  userId = (await createEntry(editor)).item.authorId;
});

const create = (body?: object) => createByline(editor, body);
const translate = (id: string, body: object) => translateByline(editor, id, body);
const localesOf = async (id: string) =>
  (await editor.get(`/admin/bylines/${id}/translations`)).data.items.map(
    ({ locale }: { locale: string }) => locale,
  );

describe('POST /admin/bylines/{id}/translations', () => {
  it('copies slug, name, avatar and website, but neither biography nor user', async () => {
    const source = await create({ bio: 'B', avatarMediaId: 'm', websiteUrl: 'https://a.example', userId });
    const response = await translate(source.id, { locale: 'de' });
    expect(response.status).toBe(201);
    expect(response.data).toEqual({
      ...source,
      id: expect.not.stringMatching(source.id),
      bio: null,
      userId: null,
      locale: 'de',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });
  it('prefers submitted values, and copies isGuest', async () => {
    const source = await create({ avatarMediaId: 'm', websiteUrl: 'https://a.example', isGuest: true });
    const sent = { locale: 'de', slug: 'anders', displayName: 'Anders', bio: 'B', websiteUrl: null };
    expect((await translate(source.id, sent)).data).toMatchObject({
      ...sent,
      avatarMediaId: 'm',
      isGuest: true,
      translationGroup: source.translationGroup,
    });
  });
  it('is equivalent to POST /admin/bylines with translationOf, for the id of a byline or of the group', async () => {
    const source = await create({ avatarMediaId: 'm' });
    const createWith = (slug: string, locale: string, translationOf: string) =>
      editor.post('/admin/bylines', { slug, displayName: 'N', locale, translationOf });
    const german = (await createWith('neu', 'de', source.id)).data;
    expect(german).toMatchObject({ avatarMediaId: 'm', translationGroup: source.translationGroup });
    const french = (await createWith('neuf', 'fr', source.translationGroup)).data;
    expect(french.translationGroup).toBe(source.translationGroup);
    expect(await localesOf(source.id)).toEqual(['de', 'en', 'fr']);
  });
  it('copies the byline of the default locale for the id of a group', async () => {
    const german = await create({ locale: 'de', displayName: 'Deutsch' });
    await translate(german.id, { locale: 'en', displayName: 'English' });
    const french = await translate(german.translationGroup, { locale: 'fr' });
    // A group has the id of its first byline: an id that names both means the byline.
    expect(french.data.displayName).toBe('Deutsch');
    await editor.delete(`/admin/bylines/${german.id}`);
    expect((await translate(german.translationGroup, { locale: 'it' })).data.displayName).toBe('English');
  });
  it('returns 409 CONFLICT when the group has the locale or the slug is taken in it', async () => {
    const source = await create();
    expect(statusAndCode(await translate(source.id, { locale: 'en', slug: 'other' }))).toEqual([
      409,
      'CONFLICT',
    ]);
    await create({ slug: 'besetzt', locale: 'de' });
    expect(statusAndCode(await translate(source.id, { locale: 'de', slug: 'besetzt' }))).toEqual([
      409,
      'CONFLICT',
    ]);
    expect(await localesOf(source.id)).toEqual(['en']);
  });
  it('creates one translation when 10 requests race', async () => {
    const source = await create();
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => translate(source.id, { locale: 'de', slug: `race-${index}` })),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ error }) => error.code === 'CONFLICT')).toHaveLength(9);
  });
  it.each<[object, string]>([
    [{}, 'locale'],
    [{ locale: 'x' }, 'locale'],
    [{ locale: 'de', slug: 'A' }, 'slug'],
    [{ locale: 'de', websiteUrl: 'x' }, 'websiteUrl'],
  ])('returns 400 for %j', async (body, path) => {
    const { id } = await create();
    const response = await translate(id, body);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', path]);
  });
});

describe('GET /admin/bylines/{id}/translations', () => {
  it('returns all translations, for the id of each and of the group', async () => {
    const source = await create();
    const german = (await translate(source.id, { locale: 'de' })).data;
    const { items } = (await editor.get(`/admin/bylines/${german.id}/translations`)).data;
    expect(items).toEqual([german, source]);
    expect(await localesOf(source.translationGroup)).toEqual(['de', 'en']);
  });
});
