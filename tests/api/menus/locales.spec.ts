import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';
import { notFound } from './support.js';

const site = useSite();
let admin: Client;
let name = '';
let count = 0;

beforeAll(async () => {
  admin = await site.as('admin');
});
beforeEach(async () => {
  count += 1;
  name = `menu-${count}`;
});

interface Item {
  id: string;
  label: string;
  parentId: string | null;
}

const create = (locale: string, more: object = {}) =>
  admin.post('/menus', { name, label: `In ${locale}`, locale, ...more });
const get = async (query = '') => (await admin.get(`/menus/${name}${query}`)).data;
const add = (label: string, more: object = {}, query = '') =>
  admin.post(`/menus/${name}/items${query}`, { type: 'custom', label, ...more });

describe('requests for a menu in several locales', () => {
  it('GET /menus/{name} returns the default locale, else the first locale by code', async () => {
    for (const locale of ['fr', 'de']) await create(locale);
    expect((await get()).locale).toBe('de');
    await create('en');
    expect((await get()).locale).toBe('en');
    expect((await get('?locale=fr')).label).toBe('In fr');
  });

  const writes: [string, (query: string, id: string) => ReturnType<Client['get']>][] = [
    ['updateMenu', (query) => admin.put(`/menus/${name}${query}`, { label: 'New' })],
    ['createMenuItem', (query) => add('new', {}, query)],
    ['updateMenuItem', (query, id) => admin.put(`/menus/${name}/items/${id}${query}`, { label: 'new' })],
    ['deleteMenuItem', (query, id) => admin.delete(`/menus/${name}/items/${id}${query}`)],
    [
      'reorderMenuItems',
      (query, id) =>
        admin.post(`/menus/${name}/reorder${query}`, { items: [{ id, parentId: null, sortOrder: 7 }] }),
    ],
    ['setMenuItems', (query) => admin.put(`/menus/${name}/items${query}`, { items: [] })],
    ['deleteMenu', (query) => admin.delete(`/menus/${name}${query}`)],
  ];
  it.each(writes)(
    '%s returns 400 AMBIGUOUS_LOCALE without a locale and changes nothing',
    async (_, write) => {
      for (const locale of ['fr', 'de']) await create(locale);
      const { id } = (await add('old', {}, '?locale=de')).data;
      const before = [await get('?locale=de'), await get('?locale=fr')];
      const response = await write('', id);
      expect(statusAndCode(response)).toEqual([400, 'AMBIGUOUS_LOCALE']);
      expect(response.error.message).toContain('de, fr');
      expect([await get('?locale=de'), await get('?locale=fr')]).toEqual(before);
    },
  );
  it.each(writes)('%s changes only the given locale', async (_, write) => {
    for (const locale of ['fr', 'de']) await create(locale);
    const { id } = (await add('old', {}, '?locale=de')).data;
    const before = [await get('?locale=de'), await get('?locale=fr')];
    expect((await write('?locale=de', id)).status).toBeLessThan(300);
    expect(await get('?locale=de')).not.toEqual(before[0]);
    expect(await get('?locale=fr')).toEqual(before[1]);
  });
  it.each(writes)(
    '%s returns 404 NOT_FOUND for another locale and 400 for a malformed one',
    async (_, write) => {
      await create('de');
      const { id } = (await add('old')).data;
      expect(statusAndCode(await write('?locale=fr', id))).toEqual(notFound);
      expect(issuePaths(await write('?locale=x', id))).toEqual(['locale']);
    },
  );
  it('PUT /menus/{name} needs no locale for a menu in one locale', async () => {
    await create('fr');
    expect((await admin.put(`/menus/${name}`, { label: 'New' })).data).toMatchObject({
      locale: 'fr',
      label: 'New',
    });
  });
});

describe('POST /menus with translationOf', () => {
  it('joins the translation group and copies the tree of items', async () => {
    const source = (await create('en')).data;
    const top = (await add('top', { customUrl: '/top', cssClasses: 'bold' })).data;
    const below = (await add('below', { parentId: top.id, target: '_blank' })).data;
    const created = await create('de', { translationOf: source.id });
    expect(created.data).toMatchObject({ locale: 'de', translationGroup: source.id, label: 'In de' });
    const { items } = await get('?locale=de');
    const copy = (item: Item, parentId: string | null) => ({
      ...item,
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      menuId: created.data.id,
      parentId,
      locale: 'de',
      createdAt: expect.any(String),
    });
    expect(items).toHaveLength(2);
    expect(items).toContainEqual(copy(top, null));
    const copied = items.find(({ label }: Item) => label === 'top');
    expect(items).toContainEqual(copy(below, copied.id));
    expect(copied.id).not.toBe(top.id);
  });
  it('creates an independent copy', async () => {
    const source = (await create('en')).data;
    const { id } = (await add('one')).data;
    await create('de', { translationOf: source.id });
    await admin.delete(`/menus/${name}/items/${id}?locale=en`);
    expect((await get('?locale=de')).items).toHaveLength(1);
    await admin.delete(`/menus/${name}?locale=en`);
    expect((await get()).items).toHaveLength(1);
  });
  it('accepts the id of each menu of the group and of the group', async () => {
    const source = (await create('en')).data;
    const second = (await create('de', { translationOf: source.id })).data;
    const third = (await create('fr', { translationOf: second.id })).data;
    expect(third.translationGroup).toBe(source.id);
    await admin.delete(`/menus/${name}?locale=en`);
    const fourth = (await create('es', { translationOf: source.id })).data;
    expect(fourth.translationGroup).toBe(source.id);
  });
  it('returns 404 for an unknown menu and creates nothing', async () => {
    expect(statusAndCode(await create('de', { translationOf: 'nothing' }))).toEqual(notFound);
    expect(statusAndCode(await admin.get(`/menus/${name}`))).toEqual(notFound);
  });
  it('returns 409 CONFLICT for a locale of the group, also with another name', async () => {
    const source = (await create('en')).data;
    await create('de', { translationOf: source.id });
    for (const other of [name, `other-${count}`])
      expect(statusAndCode(await create('de', { translationOf: source.id, name: other }))).toEqual([
        409,
        'CONFLICT',
      ]);
    expect(statusAndCode(await create('en', { translationOf: source.id, name: 'self' }))).toEqual([
      409,
      'CONFLICT',
    ]);
  });
  it('creates one menu when 5 requests race', async () => {
    const source = (await create('en')).data;
    await add('one');
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => create('de', { translationOf: source.id })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect((await get('?locale=de')).items).toHaveLength(1);
  });
});

describe('GET and POST /menus/{name}/translations (beside the public contract)', () => {
  it('return every locale of a menu', async () => {
    const source = (await create('en')).data;
    const translated = await admin.post(`/menus/${name}/translations`, { locale: 'de', label: 'Haupt' });
    expect([translated.status, translated.data.label, translated.data.name]).toEqual([201, 'Haupt', name]);
    const { data } = await admin.get(`/menus/${name}/translations`);
    const shown = ({ id, label, locale, updatedAt }: Record<string, string>) => ({
      id,
      name,
      label,
      locale,
      updatedAt,
    });
    expect(data).toEqual({
      translationGroup: source.id,
      translations: [shown(translated.data), shown(source)],
    });
  });
  it('copy the label unless one is submitted, and reject other properties', async () => {
    await create('en');
    const path = `/menus/${name}/translations`;
    expect((await admin.post(path, { locale: 'fr' })).data.label).toBe('In en');
    expect(statusAndCode(await admin.post(path, { locale: 'fr' }))).toEqual([409, 'CONFLICT']);
    expect(statusAndCode(await admin.post(path, { locale: 'es', name: 'x' }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    expect(statusAndCode(await admin.post(path, {}))).toEqual([400, 'VALIDATION_ERROR']);
  });
  it('return 404 for an unknown menu', async () => {
    expect(statusAndCode(await admin.get('/menus/nothing/translations'))).toEqual(notFound);
    expect(statusAndCode(await admin.post('/menus/nothing/translations', { locale: 'de' }))).toEqual(
      notFound,
    );
  });
});
