import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, openSite, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;
let count = 0;

beforeAll(async () => {
  admin = await site.as('admin');
});

const create = (body: object = {}) => {
  count += 1;
  return admin.post('/menus', { name: `menu-${count}`, label: 'A menu', ...body });
};
const created = async (body: object = {}) => (await create(body)).data;
const get = async (name: string) => (await admin.get(`/menus/${name}`)).data;
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const invalid = [400, 'VALIDATION_ERROR'];
const missing = [404, 'NOT_FOUND'];

describe('createMenu', () => {
  it('answers 201 with every documented property, in the default locale', async () => {
    const { status, data } = await create({ name: 'main', label: 'Main' });
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      name: 'main',
      label: 'Main',
      createdAt: instant,
      updatedAt: instant,
      locale: 'en',
      translationGroup: data.id,
    });
    expect(await get('main')).toEqual({ ...data, items: [] });
  });
  it.each(['a', '0-a_b', 'x'.repeat(100)])('takes the name %j', async (name) => {
    expect((await create({ name })).status).toBe(201);
  });
  it.each([
    ['name', { name: '' }],
    ['name', { name: 'Main' }],
    ['name', { name: '-main' }],
    ['name', { name: 'a/b' }],
    ['name', { name: 'a\n' }],
    ['name', { name: 'x'.repeat(101) }],
    ['label', { label: undefined }],
    ['label', { label: ' ' }],
    ['label', { label: 'x'.repeat(501) }],
    ['label', { label: 'a\u0000' }],
    ['locale', { locale: 'en_US' }],
    ['locale', { translationOf: 'x' }],
    ['translationOf', { locale: 'de', translationOf: '' }],
    ['', { items: [] }],
    ['', { id: 'mine' }],
  ])('names "%s" as wrong', async (path, body) => {
    const response = await create(body);
    expect(statusAndCode(response)).toEqual(invalid);
    expect(new Set(issuePaths(response))).toEqual(new Set([path]));
  });
  it('answers 409 CONFLICT for a taken name in its locale, of ten at once for nine', async () => {
    await create({ name: 'taken' });
    expect(statusAndCode(await create({ name: 'taken' }))).toEqual([409, 'CONFLICT']);
    expect(statusAndCode(await create({ name: 'taken', locale: 'EN' }))).toEqual([409, 'CONFLICT']);
    const responses = await Promise.all(Array.from({ length: 10 }, () => create({ name: 'raced' })));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ error }) => error.code === 'CONFLICT')).toHaveLength(9);
  });
});

describe('listMenus', () => {
  it('is a bare array by name, then locale, each menu with the number of its items', async () => {
    const other = await openSite();
    const client = await other.as('admin');
    for (const [name, locale] of [
      ['b', 'en'],
      ['a', 'en'],
      ['a', 'de'],
    ])
      await client.post('/menus', { name, label: 'x', locale });
    for (const label of ['one', 'two'])
      await client.post('/menus/a/items?locale=de', { type: 'custom', label });
    const shown = async (query: string) =>
      (await client.get(`/menus${query}`)).data.map(
        (menu: { name: string; locale: string; itemCount: number }) =>
          `${menu.name} ${menu.locale} ${menu.itemCount}`,
      );
    expect(await shown('')).toEqual(['a de 2', 'a en 0', 'b en 0']);
    expect(await shown('?locale=en')).toEqual(['a en 0', 'b en 0']);
    expect(await shown('?locale=EN')).toEqual(['a en 0', 'b en 0']);
    expect(await shown('?locale=fr')).toEqual([]);
    const [first] = (await client.get('/menus')).data;
    const { items: _items, ...menu } = (await client.get('/menus/a?locale=de')).data;
    expect(first).toEqual({ ...menu, itemCount: 2 });
    await other.close();
  });
  it('refuses what is no locale', async () => {
    expect(issuePaths(await admin.get('/menus?locale=en_US'))).toEqual(['locale']);
  });
});

describe('getMenu', () => {
  it('answers 404 NOT_FOUND for an unknown name or locale, 400 for a name that no text column can hold', async () => {
    const { name } = await created();
    for (const path of ['nothing', `${name}?locale=fr`, 'x'.repeat(500)])
      expect(statusAndCode(await admin.get(`/menus/${path}`))).toEqual(missing);
    expect(statusAndCode(await admin.get('/menus/%00'))).toEqual(invalid);
    expect(issuePaths(await admin.get(`/menus/${name}?locale=en_US`))).toEqual(['locale']);
  });
});

describe('updateMenu', () => {
  it('changes the label and nothing else', async () => {
    const before = await created();
    await admin.post(`/menus/${before.name}/items`, { type: 'custom', label: 'x' });
    const { items } = await get(before.name);
    const response = await admin.put(`/menus/${before.name}`, { label: 'New' });
    expect(response.data).toEqual({ ...before, label: 'New', updatedAt: instant });
    expect(await get(before.name)).toEqual({ ...response.data, items });
  });
  it('takes an empty body', async () => {
    const { name } = await created({ label: 'Kept' });
    expect((await admin.put(`/menus/${name}`, {})).data.label).toBe('Kept');
  });
  it.each([
    ['label', { label: '' }],
    ['label', { label: null }],
    ['', { name: 'renamed' }],
    ['', { label: 'x', locale: 'de' }],
  ])('names "%s" as wrong', async (path, body) => {
    const { name } = await created();
    const response = await admin.put(`/menus/${name}`, body);
    expect(statusAndCode(response)).toEqual(invalid);
    expect(new Set(issuePaths(response))).toEqual(new Set([path]));
  });
  it('answers 404 NOT_FOUND for an unknown menu', async () => {
    expect(statusAndCode(await admin.put('/menus/nothing', { label: 'x' }))).toEqual(missing);
  });
});

describe('deleteMenu', () => {
  it('removes a menu with its items, nested ones included, and no other', async () => {
    const [gone, stays] = [await created(), await created()];
    for (const { name } of [gone, stays]) {
      const parent = (await admin.post(`/menus/${name}/items`, { type: 'custom', label: 'a' })).data;
      await admin.post(`/menus/${name}/items`, { type: 'custom', label: 'b', parentId: parent.id });
    }
    expect((await admin.delete(`/menus/${gone.name}`)).data).toEqual({ deleted: true });
    expect(statusAndCode(await admin.get(`/menus/${gone.name}`))).toEqual(missing);
    expect(statusAndCode(await admin.delete(`/menus/${gone.name}`))).toEqual(missing);
    expect(await site.sql('SELECT 1 FROM menu_items WHERE menu_id = $1', [gone.id])).toEqual([]);
    expect((await get(stays.name)).items).toHaveLength(2);
  });
  it('while items are added to it ends in a menu that is gone, and no failure', async () => {
    const { name } = await created();
    const add = () => admin.post(`/menus/${name}/items`, { type: 'custom', label: 'x' });
    const [removed, ...added] = await Promise.all([
      admin.delete(`/menus/${name}`),
      ...Array.from({ length: 8 }, add),
    ]);
    expect(removed.status).toBe(200);
    for (const { status } of added) expect([201, 404]).toContain(status);
    expect(statusAndCode(await add())).toEqual(missing);
  });
});
