import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createCollection,
  createEntry,
  issuePaths,
  itemOf,
  statusAndCode,
  type ApiResponse,
  type Client,
} from '@quire/testing';
import { useConfigTestEnvironment } from '../support.js';

const testEnvironment = useConfigTestEnvironment();
let editor: Client;
let count = 0;
const unique = (prefix: string) => `${prefix}${(count += 1)}`;

beforeAll(async () => {
  const origin = await testEnvironment.start({
    site: { locales: ['de', 'en', 'pt-BR'], defaultLocale: 'de' },
  });
  const site = await testEnvironment.newSite();
  const admin = await testEnvironment.client(origin, site, 'admin');
  editor = await testEnvironment.client(origin, site, 'editor');
  await createCollection(admin, { slug: 'people' });
  await createCollection(admin, { slug: 'posts' });
  const authors = { targetCollection: 'people', multiple: true };
  const field = { slug: 'authors', label: 'Authors', type: 'reference', validation: authors };
  expect((await admin.post('/schema/collections/posts/fields', field)).status).toBe(201);
  await editor.post('/taxonomies', { name: 'tag', label: 'Tags', collections: ['posts'] });
  await editor.post('/menus', { name: 'main', label: 'Main' });
});

const createdItem = ({ status, data, body }: ApiResponse): ApiResponse['data'] => {
  if (status !== 201) throw new Error(`Creating it failed: ${JSON.stringify(body)}`);
  return data.item ?? data.taxonomy ?? data.term ?? data;
};
const byline = (more: object = {}) =>
  editor.post('/admin/bylines', { slug: unique('person-'), displayName: 'Ann', ...more });

/** Resources with a locale, and how they are created. */
const creations: [string, (more: object) => Promise<ApiResponse>][] = [
  ['an entry', (more) => editor.post('/content/posts', { data: { title: unique('Entry ') }, ...more })],
  ['a taxonomy', (more) => editor.post('/taxonomies', { name: unique('taxonomy'), label: 'T', ...more })],
  ['a term', (more) => editor.post('/taxonomies/tag/terms', { label: unique('Term '), ...more })],
  ['a menu', (more) => editor.post('/menus', { name: unique('menu-'), label: 'Menu', ...more })],
  ['a byline', (more) => byline(more)],
];
/** Resources with a separate route for translations. */
const translations: [string, (body: object) => Promise<ApiResponse>][] = [
  ['a menu', (body) => editor.post('/menus/main/translations', body)],
  [
    'a byline',
    async (body) => editor.post(`/admin/bylines/${createdItem(await byline()).id}/translations`, body),
  ],
];

describe('configured locales (contract 2; decision 1)', () => {
  it.each(creations)('return 400 for %s in another locale, and nothing is created', async (_, create) => {
    const response = await create({ locale: 'fr' });
    expect([...statusAndCode(response), issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', ['locale']]);
    expect(response.error.message).toContain('de, en, pt-BR');
  });

  it.each(translations)('return 400 for a translation of %s into another locale', async (_, translate) => {
    expect(statusAndCode(await translate({ locale: 'fr' }))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it.each(creations)('store %s in the configured spelling', async (_, create) => {
    expect(createdItem(await create({ locale: 'PT-br' })).locale).toBe('pt-BR');
  });

  it.each(translations)('store a translation of %s in the configured spelling', async (_, translate) => {
    expect(createdItem(await translate({ locale: 'PT-br' })).locale).toBe('pt-BR');
  });

  it.each(creations)('store %s without a locale in the default one', async (_, create) => {
    expect(createdItem(await create({})).locale).toBe('de');
  });
});

describe('reading by locale', () => {
  it('accepts any spelling', async () => {
    await editor.post('/menus', { name: 'spelled', label: 'Brazilian', locale: 'pt-BR' });
    await editor.post('/menus', { name: 'spelled', label: 'German' });
    expect((await editor.get('/menus/spelled?locale=PT-BR')).data.label).toBe('Brazilian');
    const slug = { slug: 'spelled', locale: 'pt-BR' };
    const entry = await createEntry(editor, 'posts', {}, slug);
    await createEntry(editor, 'posts', {}, { slug: 'spelled' });
    expect(itemOf(await editor.get('/content/posts/spelled?locale=pt-br')).id).toBe(entry.id);
    const listed = await editor.get('/content/posts?locale=pt-br&limit=100');
    expect(listed.data.items.map(({ id }: { id: string }) => id)).toContain(entry.id);
  });
});

describe('fallback of an entry to the default locale', () => {
  const entryIn = (locale: string, more: object) => createEntry(editor, 'posts', {}, { locale, ...more });
  const expectFallback = async (
    german: ApiResponse['data'],
    english: ApiResponse['data'],
    read: (locale: string) => unknown,
  ) => expect([await read('en'), await read('pt-BR')]).toEqual([english, german]);

  it('applies to credited bylines', async () => {
    const german = createdItem(await byline({ displayName: 'Anna' }));
    const english = createdItem(await byline({ locale: 'en', translationOf: german.id }));
    await expectFallback(german, english, async (locale) => {
      const entry = await entryIn(locale, { bylines: [{ bylineId: english.id }] });
      return itemOf(await editor.get(entry.path)).byline;
    });
  });

  it('applies to referenced entries', async () => {
    const german = await createEntry(editor, 'people');
    const english = await createEntry(editor, 'people', {}, { locale: 'en', translationOf: german.id });
    await expectFallback(german.id, english.id, async (locale) => {
      const entry = await entryIn(locale, { references: { authors: [english.id] } });
      return (await entry.get()).references.authors.items[0].id;
    });
  });

  it('applies to terms, with an explicit default locale', async () => {
    const german = createdItem(await editor.post('/taxonomies/tag/terms', { label: 'Eins' }));
    const one = { label: 'One', locale: 'en', translationOf: german.id };
    const english = createdItem(await editor.post('/taxonomies/tag/terms', one));
    await expectFallback(german.label, english.label, async (locale) => {
      const { path } = await entryIn(locale, {});
      await editor.post(`${path}/terms/tag`, { termIds: [english.id] });
      const { data } = await editor.get(`${path}/terms/tag`);
      expect(data).toMatchObject({
        entryLocale: locale,
        defaultLocale: 'de',
        implicitDefaultLocale: false,
      });
      return data.terms[0].label;
    });
  });
});
