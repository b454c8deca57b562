import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, useSite, type Client } from '@quire/testing';

const site = useSite();
let editor: Client;

beforeAll(async () => {
  editor = await site.as('editor');
  await site.collection({ slug: 'posts' });
  await site.collection({ slug: 'news' });
});

const call = (name: string, args: object = {}, client = editor) => callTool(client, name, args);
const create = (args: object) => call('taxonomy_create', args);
const get = async (name: string, locale?: string) => call('taxonomy_get', { name, locale });

describe('taxonomy_create and taxonomy_get', () => {
  it('create and return a taxonomy', async () => {
    const input = {
      name: 'genre',
      label: 'Genres',
      labelSingular: 'Genre',
      hierarchical: true,
      collections: ['posts'],
    };
    const { data } = await create(input);
    expect(data.taxonomy).toEqual({
      ...input,
      id: expect.any(String),
      locale: 'en',
      translationGroup: data.taxonomy.id,
    });
    expect((await get('genre')).data).toEqual(data);
  });

  it('taxonomy_create makes a flat taxonomy without collections by default', async () => {
    const { taxonomy } = (await create({ name: 'plain', label: 'Plain' })).data;
    expect(taxonomy).toMatchObject({ hierarchical: false, collections: [] });
    expect(taxonomy).not.toHaveProperty('labelSingular');
  });

  it('taxonomy_create rejects a taken name and locale with CONFLICT', async () => {
    expect((await create({ name: 'genre', label: 'Again' })).code).toBe('CONFLICT');
  });

  it('taxonomy_create adds a locale, which takes hierarchical and collections', async () => {
    const { id } = (await get('genre')).data.taxonomy;
    for (const more of [{ locale: 'de' }, { locale: 'fr', translationOf: id }]) {
      const { taxonomy } = (await create({ name: 'genre', label: 'Other', ...more })).data;
      expect(taxonomy).toMatchObject({
        hierarchical: true,
        collections: ['posts'],
        translationGroup: id,
        locale: more.locale,
      });
    }
  });

  it.each([
    ['hierarchical', { hierarchical: false }],
    ['collections', { collections: ['news'] }],
  ])(
    'taxonomy_create rejects other values of %s for a further locale with VALIDATION_ERROR',
    async (path, more) => {
      const { code, details } = await create({ name: 'genre', label: 'X', locale: 'it', ...more });
      expect([code, details?.['issues']]).toEqual(['VALIDATION_ERROR', [expect.objectContaining({ path })]]);
      expect((await get('genre', 'it')).code).toBe('NOT_FOUND');
    },
  );

  it('taxonomy_create rejects translationOf of nothing with NOT_FOUND, of another name with VALIDATION_ERROR', async () => {
    const { id } = (await get('genre')).data.taxonomy;
    expect((await create({ name: 'a', label: 'A', translationOf: 'x' })).code).toBe('NOT_FOUND');
    expect((await create({ name: 'a', label: 'A', locale: 'de', translationOf: id })).code).toBe(
      'VALIDATION_ERROR',
    );
  });

  it.each([
    ['name', { name: 'Genre' }],
    ['name', { name: '1st' }],
    ['name', { name: 'a-b' }],
    ['name', { name: 'a'.repeat(64) }],
    ['label', { label: undefined }],
    ['label', { label: 'a'.repeat(201) }],
    ['hierarchical', { hierarchical: 'true' }],
    ['collections', { collections: Array.from({ length: 101 }, (_, index) => `c${index}`) }],
    ['collections.0', { collections: ['nothing'] }],
    ['locale', { locale: 'not a locale' }],
  ])('taxonomy_create rejects an invalid %s with VALIDATION_ERROR', async (path, change) => {
    const { code, details } = await create({ name: 'valid', label: 'Valid', ...change });
    expect([code, details?.['issues']]).toEqual(['VALIDATION_ERROR', [expect.objectContaining({ path })]]);
  });

  it('taxonomy_get without a locale returns the default locale, else the lowest code', async () => {
    for (const locale of ['fr', 'de']) await create({ name: 'spoken', label: locale, locale });
    expect((await get('spoken')).data.taxonomy.locale).toBe('de');
    await create({ name: 'spoken', label: 'en' });
    expect((await get('spoken')).data.taxonomy.locale).toBe('en');
  });

  it('taxonomy_get returns NOT_FOUND for a locale without a definition, and an unknown name', async () => {
    expect((await get('spoken', 'fr')).data.taxonomy.label).toBe('fr');
    expect((await get('spoken', 'it')).code).toBe('NOT_FOUND');
    expect((await get('nothing')).code).toBe('NOT_FOUND');
  });
});

describe('taxonomy_list', () => {
  it('lists the definitions of one locale, or of all, without deleted collections', async () => {
    await site.collection({ slug: 'gone' });
    await create({ name: 'listed', label: 'Listed', collections: ['gone', 'posts'] });
    await create({ name: 'listed', label: 'Aufgelistet', locale: 'lv' });
    await (await site.as('admin')).delete('/schema/collections/gone?force=true');
    const inLatvian = (await call('taxonomy_list', { locale: 'lv' })).data.taxonomies;
    expect(inLatvian).toEqual([
      expect.objectContaining({ name: 'listed', label: 'Aufgelistet', locale: 'lv', collections: ['posts'] }),
    ]);
    const { taxonomies } = (await call('taxonomy_list')).data as {
      taxonomies: { name: string; locale: string }[];
    };
    const found = taxonomies.filter(({ name }) => name === 'listed').map(({ locale }) => locale);
    expect(found).toEqual(['en', 'lv']);
    expect((await call('taxonomy_list', { locale: 'xx' })).data).toEqual({ taxonomies: [] });
  });
});

describe('taxonomy_update', () => {
  beforeAll(async () => {
    await create({ name: 'changed', label: 'Changed', labelSingular: 'Change', locale: 'en' });
    await create({ name: 'changed', label: 'Geändert', locale: 'de' });
  });
  const update = (args: object) => call('taxonomy_update', { name: 'changed', ...args });

  it('changes the labels of the lowest code without a locale, and of the named one', async () => {
    expect((await update({ label: 'Neu' })).data.taxonomy).toMatchObject({ locale: 'de', label: 'Neu' });
    expect((await update({ label: 'New', locale: 'en' })).data.taxonomy).toMatchObject({
      locale: 'en',
      label: 'New',
      labelSingular: 'Change',
    });
  });

  it('changes hierarchical and collections in all locales', async () => {
    await update({ hierarchical: true, collections: ['news'], locale: 'en' });
    for (const locale of ['en', 'de'])
      expect((await get('changed', locale)).data.taxonomy).toMatchObject({
        hierarchical: true,
        collections: ['news'],
      });
  });

  it('removes labelSingular with null', async () => {
    const { taxonomy } = (await update({ labelSingular: null, locale: 'en' })).data;
    expect(taxonomy).not.toHaveProperty('labelSingular');
  });

  it('returns NOT_FOUND for a locale without a definition and an unknown name, and changes nothing', async () => {
    expect((await update({ label: 'X', locale: 'it' })).code).toBe('NOT_FOUND');
    expect((await update({ label: 'X', name: 'nothing' })).code).toBe('NOT_FOUND');
    expect((await get('changed', 'de')).data.taxonomy.label).toBe('Neu');
  });

  it('rejects an unknown collection with VALIDATION_ERROR', async () => {
    expect((await update({ collections: ['nothing'] })).code).toBe('VALIDATION_ERROR');
  });
});

describe('taxonomy_delete', () => {
  it('deletes all locales with terms and assignments; entries stay', async () => {
    await create({ name: 'doomed', label: 'Doomed', collections: ['posts'] });
    await create({ name: 'doomed', label: 'Verloren', locale: 'de' });
    const { term } = (await call('taxonomy_create_term', { taxonomy: 'doomed', label: 'A' })).data;
    const admin = await site.as('admin');
    const { id } = (await admin.post('/content/posts', { data: { title: 'Kept' } })).data.item;
    const assigned = await admin.post(`/content/posts/${id}/terms/doomed`, { termIds: [term.id] });
    expect(assigned.status).toBe(200);
    expect((await call('taxonomy_delete', { name: 'doomed' })).data).toEqual({ deleted: true });
    expect((await get('doomed', 'de')).code).toBe('NOT_FOUND');
    expect((await call('taxonomy_term_translations', { id: term.id })).code).toBe('NOT_FOUND');
    expect((await admin.get(`/content/posts/${id}`)).status).toBe(200);
    expect((await call('taxonomy_delete', { name: 'doomed' })).code).toBe('NOT_FOUND');
  });
});

describe('rights of the taxonomy tools', () => {
  it.each([
    ['taxonomy_create', { name: 'a', label: 'A' }],
    ['taxonomy_update', { name: 'nothing' }],
    ['taxonomy_delete', { name: 'nothing' }],
    ['taxonomy_create_term', { taxonomy: 'nothing', label: 'A' }],
    ['taxonomy_update_term', { taxonomy: 'nothing', termSlug: 'a' }],
    ['taxonomy_delete_term', { taxonomy: 'nothing', termSlug: 'a' }],
  ])('%s requires taxonomies:manage or content:write, and an editor', async (tool, args) => {
    const reader = await site.withScopes('editor', ['content:read', 'menus:manage']);
    expect((await call(tool, args, reader)).code).toBe('INSUFFICIENT_SCOPE');
    expect((await call(tool, args, await site.as('author'))).code).toBe('INSUFFICIENT_PERMISSIONS');
    for (const scope of ['taxonomies:manage', 'content:write'])
      expect((await call(tool, args, await site.withScopes('editor', [scope]))).code ?? '').not.toMatch(
        /INSUFF/,
      );
  });

  it.each([
    ['taxonomy_list', {}],
    ['taxonomy_get', { name: 'genre' }],
    ['taxonomy_list_terms', { taxonomy: 'genre' }],
    ['taxonomy_term_translations', { id: 'x' }],
  ])('%s requires content:read, of a subscriber', async (tool, args) => {
    const writer = await site.withScopes('editor', ['content:write']);
    expect((await call(tool, args, writer)).code).toBe('INSUFFICIENT_SCOPE');
    const reader = await site.withScopes('subscriber', ['content:read']);
    expect((await call(tool, args, reader)).code ?? '').not.toMatch(/INSUFF/);
  });
});
