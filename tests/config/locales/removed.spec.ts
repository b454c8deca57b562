import { beforeAll, describe, expect, it } from '@jest/globals';
import { createCollection, createEntry, statusAndCode, type Client } from '@quire/testing';
import { useConfigTestEnvironment } from '../support.js';

const testEnvironment = useConfigTestEnvironment();
let editor: Client;

/**
 * A site with a menu, a taxonomy with a term, and an entry in German and French each; French was then removed from the
 * configuration.
 */
beforeAll(async () => {
  const site = await testEnvironment.newSite();
  const before = await testEnvironment.start({ site: { locales: ['de', 'fr'], defaultLocale: 'de' } });
  await createCollection(await testEnvironment.client(before, site, 'admin'), { slug: 'posts' });
  const writer = await testEnvironment.client(before, site, 'editor');
  for (const locale of ['de', 'fr']) {
    for (const name of ['main', 'footer']) await writer.post('/menus', { name, label: locale, locale });
    await writer.post('/taxonomies', { name: 'tag', label: locale, locale, collections: ['posts'] });
    await writer.post('/taxonomies/tag/terms', { label: locale, slug: 'one', locale });
    await createEntry(writer, 'posts', {}, { slug: 'welcome', locale });
  }
  const origin = await testEnvironment.start({ site: { locales: ['de', 'en'], defaultLocale: 'de' } });
  await testEnvironment.stopAllExcept(origin);
  editor = await testEnvironment.client(origin, site, 'editor');
});

describe('resources in a locale that was removed from the configuration', () => {
  it('can be updated and deleted by that locale: a menu', async () => {
    expect(statusAndCode(await editor.put('/menus/main', { label: 'New' }))).toEqual([
      400,
      'AMBIGUOUS_LOCALE',
    ]);
    expect((await editor.put('/menus/main?locale=FR', { label: 'New' })).data).toMatchObject({
      label: 'New',
      locale: 'fr',
    });
    const item = await editor.post('/menus/main/items?locale=fr', { type: 'custom', label: 'Item' });
    expect([item.status, item.data.locale]).toEqual([201, 'fr']);
    expect((await editor.delete('/menus/main?locale=fr')).status).toBe(200);
    expect((await editor.put('/menus/main', { label: 'Left' })).data).toMatchObject({ locale: 'de' });
  });

  it('can be updated by that locale: a taxonomy', async () => {
    const changed = await editor.put('/taxonomies/tag?locale=fr', { label: 'Nouveau' });
    expect(changed.data.taxonomy).toMatchObject({ label: 'Nouveau', locale: 'fr' });
    expect((await editor.get('/taxonomies/tag?locale=Fr')).data.taxonomy.label).toBe('Nouveau');
    expect((await editor.get('/taxonomies?locale=fr')).data.taxonomies).toHaveLength(1);
  });

  it('can be updated and deleted by that locale: a term', async () => {
    const path = '/taxonomies/tag/terms/one?locale=fr';
    expect((await editor.put(path, { label: 'Un' })).data.term).toMatchObject({ label: 'Un', locale: 'fr' });
    const listed = await editor.get('/taxonomies/tag/terms?locale=fr');
    expect(listed.data.terms.map(({ label }: { label: string }) => label)).toEqual(['Un']);
    expect((await editor.delete(path)).status).toBe(200);
    expect((await editor.get('/taxonomies/tag/terms/one')).data.term.locale).toBe('de');
  });

  it('can be read, listed, deleted and found in the trash by that locale: an entry', async () => {
    const { data } = await editor.get('/content/posts/welcome?locale=fr');
    expect(data.item.locale).toBe('fr');
    const idsAt = async (path: string) =>
      (await editor.get(path)).data.items.map(({ id }: { id: string }) => id);
    expect(await idsAt('/content/posts?locale=fr')).toEqual([data.item.id]);
    expect((await editor.delete('/content/posts/welcome?locale=fr')).status).toBe(200);
    expect(await idsAt('/content/posts/trash?locale=fr')).toEqual([data.item.id]);
  });

  it('cannot be created in that locale', async () => {
    const menu = { name: 'other', label: 'Other', locale: 'fr' };
    expect(statusAndCode(await editor.post('/menus', menu))).toEqual([400, 'VALIDATION_ERROR']);
    const translated = await editor.post('/menus/footer/translations?locale=de', { locale: 'fr' });
    expect(statusAndCode(translated)).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('requests with a locale that the site does not have (spec document 1, Content rule 4)', () => {
  it.each<[string, () => ReturnType<Client['get']>]>([
    ['a taxonomy', () => editor.put('/taxonomies/tag?locale=it', { label: 'T' })],
    ['a term', () => editor.put('/taxonomies/tag/terms/one?locale=it', { label: 'T' })],
    ['a menu', () => editor.put('/menus/footer?locale=it', { label: 'M' })],
    ['a menu to read', () => editor.get('/menus/footer?locale=it')],
    ['an entry', () => editor.get('/content/posts/welcome?locale=it')],
  ])('return 404 NOT_FOUND: %s', async (_, send) => {
    expect(statusAndCode(await send())).toEqual([404, 'NOT_FOUND']);
  });

  it('fall back to the default for GET /taxonomies/{name}', async () => {
    expect((await editor.get('/taxonomies/tag?locale=it')).data.taxonomy.locale).toBe('de');
  });

  it.each(['/menus/footer', '/taxonomies/tag', '/content/posts/welcome'])(
    'return 400 for an invalid locale: %s',
    async (path) => {
      expect(statusAndCode(await editor.get(`${path}?locale=no_code`))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
});
