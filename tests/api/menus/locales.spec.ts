import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';

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
const missing = [404, 'NOT_FOUND'];

describe('a menu in several locales', () => {
  it('is read in the default locale without one, else in the lowest code', async () => {
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
    ['replacing all items', (query) => admin.put(`/menus/${name}/items${query}`, { items: [] })],
    ['deleteMenu', (query) => admin.delete(`/menus/${name}${query}`)],
  ];
  it.each(writes)(
    'is 400 AMBIGUOUS_LOCALE for %s without a locale, and nothing changes',
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
  it.each(writes)('is changed in the locale that is sent by %s', async (_, write) => {
    for (const locale of ['fr', 'de']) await create(locale);
    const { id } = (await add('old', {}, '?locale=de')).data;
    const before = [await get('?locale=de'), await get('?locale=fr')];
    expect((await write('?locale=de', id)).status).toBeLessThan(300);
    expect(await get('?locale=de')).not.toEqual(before[0]);
    expect(await get('?locale=fr')).toEqual(before[1]);
  });
  it.each(writes)('is 404 NOT_FOUND in another locale, 400 in what is none, for %s', async (_, write) => {
    await create('de');
    const { id } = (await add('old')).data;
    expect(statusAndCode(await write('?locale=fr', id))).toEqual(missing);
    expect(issuePaths(await write('?locale=x', id))).toEqual(['locale']);
  });
  it('needs no locale for a write while there is only one', async () => {
    await create('fr');
    expect((await admin.put(`/menus/${name}`, { label: 'New' })).data).toMatchObject({
      locale: 'fr',
      label: 'New',
    });
  });
});

describe('a translation of a menu', () => {
  it('joins the group and copies the items with their tree and their translation groups', async () => {
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
  it('is a copy: changing one leaves the other', async () => {
    const source = (await create('en')).data;
    const { id } = (await add('one')).data;
    await create('de', { translationOf: source.id });
    await admin.delete(`/menus/${name}/items/${id}?locale=en`);
    expect((await get('?locale=de')).items).toHaveLength(1);
    await admin.delete(`/menus/${name}?locale=en`);
    expect((await get()).items).toHaveLength(1);
  });
  it('may start from any menu of the group, or from the id of the group', async () => {
    const source = (await create('en')).data;
    const second = (await create('de', { translationOf: source.id })).data;
    const third = (await create('fr', { translationOf: second.id })).data;
    expect(third.translationGroup).toBe(source.id);
    await admin.delete(`/menus/${name}?locale=en`);
    const fourth = (await create('es', { translationOf: source.id })).data;
    expect(fourth.translationGroup).toBe(source.id);
  });
  it('of an unknown menu is 404, and leaves no menu behind', async () => {
    expect(statusAndCode(await create('de', { translationOf: 'nothing' }))).toEqual(missing);
    expect(statusAndCode(await admin.get(`/menus/${name}`))).toEqual(missing);
  });
  it('in a locale that the group has is 409 CONFLICT, under another name too', async () => {
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
  it('made five times at once is made once', async () => {
    const source = (await create('en')).data;
    await add('one');
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => create('de', { translationOf: source.id })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect((await get('?locale=de')).items).toHaveLength(1);
  });
});

describe('the routes of translations (beside the public contract)', () => {
  it('list every locale of a menu', async () => {
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
  it('keep the label unless one is sent, and are strict', async () => {
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
  it('answer 404 for an unknown menu', async () => {
    expect(statusAndCode(await admin.get('/menus/nothing/translations'))).toEqual(missing);
    expect(statusAndCode(await admin.post('/menus/nothing/translations', { locale: 'de' }))).toEqual(missing);
  });
});
