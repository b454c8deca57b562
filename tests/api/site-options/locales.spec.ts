import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  callTool,
  createEntry,
  eventually,
  issuePaths,
  itemOf,
  statusAndCode,
  useSite,
  type Client,
} from '@quire/testing';
import { configure } from './support.js';

const german = useSite();
const french = useSite();
let clients: Record<'german' | 'french', Client>;

beforeAll(async () => {
  clients = { german: await german.as('admin'), french: await french.as('admin') };
  for (const site of [german, french]) await site.collection();
  await configure(german, 'locales=["de","en"]', 'defaultLocale=de');
  await configure(french, 'locales=["fr-CA"]', 'defaultLocale=fr-CA');
  await untilLocale(clients.german, 'de');
  await untilLocale(clients.french, 'fr-CA');
});

const manifest = async (client: Client) => (await client.get('/manifest')).data;
const untilLocale = async (client: Client, locale: string) => {
  const isSo = (found: { contentLocale: { defaultLocale: string } }) =>
    found.contentLocale.defaultLocale === locale;
  expect((await eventually(() => manifest(client), isSo)).contentLocale.defaultLocale).toBe(locale);
};
const create = (client: Client, more: object = {}) => client.post('/content/posts', { data: {}, ...more });

describe('two sites with different locales in one installation', () => {
  it('create entries in their own default locale', async () => {
    const locales = await Promise.all(
      [clients.german, clients.french].map(async (client) => itemOf(await create(client)).locale),
    );
    expect(locales).toEqual(['de', 'fr-CA']);
  });

  it('store their own spelling, and reject the locales of the other', async () => {
    expect(itemOf(await create(clients.french, { locale: 'FR-ca' })).locale).toBe('fr-CA');
    for (const [client, locale, own] of [
      [clients.german, 'fr-CA', 'de, en'],
      [clients.french, 'de', 'fr-CA'],
    ] as const) {
      const rejected = await create(client, { locale });
      expect([...statusAndCode(rejected), issuePaths(rejected)]).toEqual([
        400,
        'VALIDATION_ERROR',
        ['locale'],
      ]);
      expect(rejected.error.message).toContain(`must be one of the site's locales: ${own}`);
    }
  });

  it('describe their own locales in the manifest', async () => {
    expect(await manifest(clients.german)).toMatchObject({
      i18n: { defaultLocale: 'de', locales: ['de', 'en'] },
      contentLocale: { defaultLocale: 'de', implicit: false },
    });
    expect(await manifest(clients.french)).toMatchObject({ i18n: { locales: ['fr-CA'] } });
  });

  it('have them for menus, taxonomies, terms and bylines too', async () => {
    const made = await Promise.all([
      clients.german.post('/menus', { name: 'main', label: 'Main' }),
      clients.german.post('/taxonomies', { name: 'topic', label: 'Topics', collections: ['posts'] }),
      clients.german.post('/admin/bylines', { slug: 'ann', displayName: 'Ann' }),
    ]);
    const texts = made.map(({ text }) => text);
    for (const text of texts) expect(text).toContain('"locale":"de"');
    const term = await clients.german.post('/taxonomies/topic/terms', { slug: 'a', label: 'A' });
    expect(term.text).toContain('"locale":"de"');
    const rejected = await clients.french.post('/menus', { name: 'main', label: 'Main', locale: 'en' });
    expect(statusAndCode(rejected)).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('have them for MCP tools', async () => {
    const call = (client: Client, args: object) =>
      callTool(client, 'content_create', { collection: 'posts', data: { title: 'By a tool' }, ...args });
    expect(JSON.stringify(await call(clients.german, {}))).toContain('"locale":"de"');
    expect(await call(clients.french, { locale: 'de' })).toMatchObject({ isError: true });
  });

  it('find the entry of a slug in their own default locale first', async () => {
    const [de, en] = ['de', 'en'].map((locale) => create(clients.german, { locale, slug: 'both' }));
    const ids = (await Promise.all([de, en])).map((response) => response && itemOf(response).id);
    expect((await clients.german.get('/content/posts/both')).data.item.id).toBe(ids[0]);
    await configure(german, 'defaultLocale=en');
    await untilLocale(clients.german, 'en');
    // Nothing in the database has changed since the cached response.
    expect((await clients.german.get('/content/posts/both')).data.item.id).toBe(ids[1]);
    await configure(german, 'defaultLocale=de');
    await untilLocale(clients.german, 'de');
  });

  it('keep entries of a locale that they no longer have', async () => {
    const entry = await createEntry(clients.german, 'posts', {}, { locale: 'en', slug: 'kept' });
    await configure(german, 'locales=["de"]');
    const isNarrow = ({ i18n }: { i18n: { locales: string[] } }) => i18n.locales.length === 1;
    expect((await eventually(() => manifest(clients.german), isNarrow)).i18n.locales).toEqual(['de']);
    expect((await entry.get()).item).toMatchObject({ locale: 'en', slug: 'kept' });
    expect((await entry.put({ data: { title: 'Changed' } })).status).toBe(200);
    expect((await clients.german.get('/content/posts?locale=en')).data.items.length).toBeGreaterThan(0);
    expect(statusAndCode(await create(clients.german, { locale: 'en' }))).toEqual([400, 'VALIDATION_ERROR']);
    await configure(german, 'locales=none', 'defaultLocale=none');
    await untilLocale(clients.german, 'en');
    expect(itemOf(await create(clients.german, { locale: 'es' })).locale).toBe('es');
  });
});
