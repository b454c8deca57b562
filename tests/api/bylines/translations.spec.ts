import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let editor: Client;
let userId: string;

beforeAll(async () => {
  editor = await site.as('editor');
  await site.collection();
  userId = (await createEntry(editor)).item.authorId;
});

let count = 0;
const make = async (body: object = {}) => {
  count += 1;
  const sent = { slug: `person-${count}`, displayName: `Person ${count}`, ...body };
  return (await editor.post('/admin/bylines', sent)).data;
};
const translate = (id: string, body: object) => editor.post(`/admin/bylines/${id}/translations`, body);
const localesOf = async (id: string) =>
  (await editor.get(`/admin/bylines/${id}/translations`)).data.items.map(
    ({ locale }: { locale: string }) => locale,
  );

describe('createBylineTranslation', () => {
  it('copies slug, name, avatar and site, has no biography, and is linked to no user', async () => {
    const source = await make({ bio: 'B', avatarMediaId: 'm', websiteUrl: 'https://a.example', userId });
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
  it('takes what is sent instead, and stays a guest', async () => {
    const source = await make({ avatarMediaId: 'm', websiteUrl: 'https://a.example', isGuest: true });
    const sent = { locale: 'de', slug: 'anders', displayName: 'Anders', bio: 'B', websiteUrl: null };
    expect((await translate(source.id, sent)).data).toMatchObject({
      ...sent,
      avatarMediaId: 'm',
      isGuest: true,
      translationGroup: source.translationGroup,
    });
  });
  it('may be made with translationOf, by the id of a byline or of the group', async () => {
    const source = await make({ avatarMediaId: 'm' });
    const create = (slug: string, locale: string, translationOf: string) =>
      editor.post('/admin/bylines', { slug, displayName: 'N', locale, translationOf });
    const german = (await create('neu', 'de', source.id)).data;
    expect(german).toMatchObject({ avatarMediaId: 'm', translationGroup: source.translationGroup });
    const french = (await create('neuf', 'fr', source.translationGroup)).data;
    expect(french.translationGroup).toBe(source.translationGroup);
    expect(await localesOf(source.id)).toEqual(['de', 'en', 'fr']);
  });
  it('of a group is one of its byline in the default locale', async () => {
    const german = await make({ locale: 'de', displayName: 'Deutsch' });
    await translate(german.id, { locale: 'en', displayName: 'English' });
    const french = await translate(german.translationGroup, { locale: 'fr' });
    // A group has the id of its first byline: an id that names both means the byline.
    expect(french.data.displayName).toBe('Deutsch');
    await editor.delete(`/admin/bylines/${german.id}`);
    expect((await translate(german.translationGroup, { locale: 'it' })).data.displayName).toBe('English');
  });
  it('answers CONFLICT when the group has the locale, or the slug is taken in it', async () => {
    const source = await make();
    expect(statusAndCode(await translate(source.id, { locale: 'en', slug: 'other' }))).toEqual([
      409,
      'CONFLICT',
    ]);
    await make({ slug: 'besetzt', locale: 'de' });
    expect(statusAndCode(await translate(source.id, { locale: 'de', slug: 'besetzt' }))).toEqual([
      409,
      'CONFLICT',
    ]);
    expect(await localesOf(source.id)).toEqual(['en']);
  });
  it('is made once when ten ask for one locale at once', async () => {
    const source = await make();
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
  ])('is refused as %j', async (body, path) => {
    const { id } = await make();
    const response = await translate(id, body);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', path]);
  });
});

describe('the list of the locales of a byline', () => {
  it('holds all of them, by the id of any and by that of the group', async () => {
    const source = await make();
    const german = (await translate(source.id, { locale: 'de' })).data;
    const { items } = (await editor.get(`/admin/bylines/${german.id}/translations`)).data;
    expect(items).toEqual([german, source]);
    expect(await localesOf(source.translationGroup)).toEqual(['de', 'en']);
  });
});
