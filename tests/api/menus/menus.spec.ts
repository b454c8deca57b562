import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, openSite, statusAndCode, useSite, type Client } from '@quire/testing';
import { notFound, validationError } from './support.js';

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
const createdMenu = async (body: object = {}) => (await create(body)).data;
const get = async (name: string) => (await admin.get(`/menus/${name}`)).data;
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('POST /menus', () => {
  it('returns 201 with every documented property, in the default locale', async () => {
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
  it.each(['a', '0-a_b', 'x'.repeat(100)])('accepts the name %j', async (name) => {
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
  ])('returns 400 naming "%s"', async (path, body) => {
    const response = await create(body);
    expect(statusAndCode(response)).toEqual(validationError);
    expect(new Set(issuePaths(response))).toEqual(new Set([path]));
  });
  it('returns 409 CONFLICT for a name taken in the locale, and creates one menu when 10 requests race', async () => {
    await create({ name: 'taken' });
    expect(statusAndCode(await create({ name: 'taken' }))).toEqual([409, 'CONFLICT']);
    expect(statusAndCode(await create({ name: 'taken', locale: 'EN' }))).toEqual([409, 'CONFLICT']);
    const responses = await Promise.all(Array.from({ length: 10 }, () => create({ name: 'raced' })));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ error }) => error.code === 'CONFLICT')).toHaveLength(9);
  });
});

describe('GET /menus', () => {
  it('returns an array by name and locale, with the number of items', async () => {
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
  it('returns 400 for a malformed locale', async () => {
    expect(issuePaths(await admin.get('/menus?locale=en_US'))).toEqual(['locale']);
  });
});

describe('GET /menus/{name}', () => {
  it('returns 404 NOT_FOUND for an unknown name or locale, and 400 for a name with U+0000', async () => {
    const { name } = await createdMenu();
    for (const path of ['nothing', `${name}?locale=fr`, 'x'.repeat(500)])
      expect(statusAndCode(await admin.get(`/menus/${path}`))).toEqual(notFound);
    expect(statusAndCode(await admin.get('/menus/%00'))).toEqual(validationError);
    expect(issuePaths(await admin.get(`/menus/${name}?locale=en_US`))).toEqual(['locale']);
  });
});

describe('PUT /menus/{name}', () => {
  it('updates only the label', async () => {
    const before = await createdMenu();
    await admin.post(`/menus/${before.name}/items`, { type: 'custom', label: 'x' });
    const { items } = await get(before.name);
    const response = await admin.put(`/menus/${before.name}`, { label: 'New' });
    expect(response.data).toEqual({ ...before, label: 'New', updatedAt: instant });
    expect(await get(before.name)).toEqual({ ...response.data, items });
  });
  it('accepts an empty body', async () => {
    const { name } = await createdMenu({ label: 'Main' });
    expect((await admin.put(`/menus/${name}`, {})).data.label).toBe('Main');
  });
  it.each([
    ['label', { label: '' }],
    ['label', { label: null }],
    ['', { name: 'renamed' }],
    ['', { label: 'x', locale: 'de' }],
  ])('returns 400 naming "%s"', async (path, body) => {
    const { name } = await createdMenu();
    const response = await admin.put(`/menus/${name}`, body);
    expect(statusAndCode(response)).toEqual(validationError);
    expect(new Set(issuePaths(response))).toEqual(new Set([path]));
  });
  it('returns 404 NOT_FOUND for an unknown menu', async () => {
    expect(statusAndCode(await admin.put('/menus/nothing', { label: 'x' }))).toEqual(notFound);
  });
});

describe('DELETE /menus/{name}', () => {
  it('deletes one menu with all its items', async () => {
    const [deleted, retained] = [await createdMenu(), await createdMenu()];
    for (const { name } of [deleted, retained]) {
      const parent = (await admin.post(`/menus/${name}/items`, { type: 'custom', label: 'a' })).data;
      await admin.post(`/menus/${name}/items`, { type: 'custom', label: 'b', parentId: parent.id });
    }
    expect((await admin.delete(`/menus/${deleted.name}`)).data).toEqual({ deleted: true });
    expect(statusAndCode(await admin.get(`/menus/${deleted.name}`))).toEqual(notFound);
    expect(statusAndCode(await admin.delete(`/menus/${deleted.name}`))).toEqual(notFound);
    expect(await site.sql('SELECT 1 FROM menu_items WHERE menu_id = $1', [deleted.id])).toEqual([]);
    expect((await get(retained.name)).items).toHaveLength(2);
  });
  it('deletes the menu when it races with requests that add items', async () => {
    const { name } = await createdMenu();
    const add = () => admin.post(`/menus/${name}/items`, { type: 'custom', label: 'x' });
    const [removed, ...added] = await Promise.all([
      admin.delete(`/menus/${name}`),
      ...Array.from({ length: 8 }, add),
    ]);
    expect(removed.status).toBe(200);
    for (const { status } of added) expect([201, 404]).toContain(status);
    expect(statusAndCode(await add())).toEqual(notFound);
  });
});
