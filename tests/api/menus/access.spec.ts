import { beforeAll, describe, expect, it } from '@jest/globals';
import { describePermissions, openSite, statusAndCode, useSite, type PermissionCase } from '@quire/testing';

const site = useSite();
beforeAll(async () => {
  const admin = await site.as('admin');
  await admin.post('/menus', { name: 'main', label: 'Main' });
});

const unknown = '/menus/nothing';
const permissionCases: PermissionCase[] = [
  {
    permission: 'menus:read',
    minRole: 'subscriber',
    scopes: ['content:read'],
    expectedStatus: 200,
    operations: {
      listMenus: (client) => client.get('/menus'),
      getMenu: (client) => client.get('/menus/main'),
      listMenuTranslations: (client) => client.get('/menus/main/translations'),
    },
  },
  {
    permission: 'menus:manage',
    minRole: 'editor',
    scopes: ['menus:manage', 'content:write'],
    operations: {
      createMenu: (client) => client.post('/menus', { name: 'main', label: 'Main' }),
      updateMenu: (client) => client.put(unknown, { label: 'x' }),
      deleteMenu: (client) => client.delete(unknown),
      createMenuItem: (client) => client.post(`${unknown}/items`, { type: 'custom', label: 'x' }),
      updateMenuItem: (client) => client.put(`${unknown}/items/1`, { label: 'x' }),
      deleteMenuItem: (client) => client.delete(`${unknown}/items/1`),
      reorderMenuItems: (client) => client.post(`${unknown}/reorder`, { items: [] }),
      setMenuItems: (client) => client.put(`${unknown}/items`, { items: [] }),
      translateMenu: (client) => client.post(`${unknown}/translations`, { locale: 'de' }),
    },
  },
];
describePermissions(() => site, permissionCases);

describe('menus of another tenant', () => {
  it('are not found; their names can be reused', async () => {
    const admin = await site.as('admin');
    const item = (await admin.post('/menus/main/items', { type: 'custom', label: 'Ours' })).data;
    const menu = (await admin.get('/menus/main')).data;
    const other = await openSite();
    const theirs = await other.as('admin');
    expect((await theirs.get('/menus')).data).toEqual([]);
    const attempts = async () => [
      await theirs.put(`/menus/main/items/${item.id}`, { label: 'Theirs' }),
      await theirs.delete(`/menus/main/items/${item.id}`),
      await theirs.post('/menus', { name: 'copy', label: 'x', locale: 'de', translationOf: menu.id }),
    ];
    for (const response of [
      ...(await attempts()),
      await theirs.get('/menus/main'),
      await theirs.get('/menus/main/translations'),
      await theirs.put('/menus/main', { label: 'Theirs' }),
      await theirs.post('/menus/main/items', { type: 'custom', label: 'x' }),
      await theirs.put('/menus/main/items', { items: [] }),
      await theirs.post('/menus/main/reorder', { items: [] }),
      await theirs.delete('/menus/main'),
    ])
      expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
    expect((await theirs.post('/menus', { name: 'main', label: 'Theirs' })).status).toBe(201);
    for (const response of await attempts()) expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
    const below = await theirs.post('/menus/main/items', { type: 'custom', label: 'x', parentId: item.id });
    expect(statusAndCode(below)).toEqual([400, 'VALIDATION_ERROR']);
    expect((await admin.get('/menus/main')).data).toEqual(menu);
    await other.close();
  });
  it('have entries whose ids are not resolved to translation groups', async () => {
    const other = await openSite();
    const collection = { slug: 'pages' };
    await Promise.all([site.collection(collection), other.collection(collection)]);
    const theirs = await other.as('admin');
    const { item } = (await theirs.post('/content/pages', { data: { title: 'a' } })).data;
    const more = { data: { title: 'b' }, locale: 'de', translationOf: item.id };
    const translated = (await theirs.post('/content/pages', more)).data.item;
    const admin = await site.as('admin');
    const sent = { type: 'page', label: 'x', referenceId: translated.id };
    expect((await admin.post('/menus/main/items', sent)).data.referenceId).toBe(translated.id);
    await other.close();
  });
});
