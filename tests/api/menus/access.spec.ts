import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, outcome, type Answer, type Client, type Site, type TestRole } from '@quire/testing';

let site: Site;
beforeAll(async () => {
  site = await openSite();
  const admin = await site.as('admin');
  await admin.post('/menus', { name: 'main', label: 'Main' });
});
afterAll(() => site.close());

type Call = (client: Client) => Promise<Answer>;
const reads: [string, Call][] = [
  ['listMenus', (client) => client.get('/menus')],
  ['getMenu', (client) => client.get('/menus/main')],
  ['the translations', (client) => client.get('/menus/main/translations')],
];
// Each is addressed so that a caller who gets in changes nothing: what counts here is the door.
const nothing = '/menus/nothing';
const writes: [string, Call][] = [
  ['createMenu', (client) => client.post('/menus', { name: 'main', label: 'Main' })],
  ['updateMenu', (client) => client.put(nothing, { label: 'x' })],
  ['deleteMenu', (client) => client.delete(nothing)],
  ['createMenuItem', (client) => client.post(`${nothing}/items`, { type: 'custom', label: 'x' })],
  ['updateMenuItem', (client) => client.put(`${nothing}/items/1`, { label: 'x' })],
  ['deleteMenuItem', (client) => client.delete(`${nothing}/items/1`)],
  ['reorderMenuItems', (client) => client.post(`${nothing}/reorder`, { items: [] })],
  ['replacing all items', (client) => client.put(`${nothing}/items`, { items: [] })],
  ['a new translation', (client) => client.post(`${nothing}/translations`, { locale: 'de' })],
];

const everybody: TestRole[] = ['subscriber', 'contributor', 'author', 'editor', 'admin'];
const letsIn = (answer: Answer) => expect([401, 403]).not.toContain(answer.status);

describe('menus:read', () => {
  it.each(reads)('lets every role use %s', async (_name, call) => {
    for (const role of everybody) expect((await call(await site.as(role))).status).toBe(200);
  });
});

describe('menus:manage', () => {
  it.each(writes)('lets editors and admins use %s', async (_name, call) => {
    for (const role of everybody.slice(3)) letsIn(await call(await site.as(role)));
  });
  it.each(writes)('keeps everybody below editors from %s', async (_name, call) => {
    for (const role of everybody.slice(0, 3))
      expect(outcome(await call(await site.as(role)))).toEqual([403, 'FORBIDDEN']);
  });
});

describe('a Bearer token', () => {
  it.each(reads)('needs content:read for %s', async (_name, call) => {
    letsIn(await call(await site.withScopes('admin', ['content:read'])));
    const client = await site.withScopes('admin', ['content:write', 'menus:manage']);
    expect(outcome(await call(client))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });
  it.each(writes)('needs menus:manage, or content:write which implies it, for %s', async (_name, call) => {
    letsIn(await call(await site.withScopes('admin', ['menus:manage'])));
    letsIn(await call(await site.withScopes('admin', ['content:write'])));
    const client = await site.withScopes('admin', ['content:read', 'taxonomies:manage']);
    expect(outcome(await call(client))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });
  it('with menus:manage has no more rights than its role', async () => {
    const client = await site.withScopes('author', ['menus:manage']);
    for (const [, call] of writes) expect(outcome(await call(client))).toEqual([403, 'FORBIDDEN']);
  });
});

describe('without a credential', () => {
  it.each([...reads, ...writes])('%s answers 401 NOT_AUTHENTICATED', async (_name, call) => {
    expect(outcome(await call(site.anonymous()))).toEqual([401, 'NOT_AUTHENTICATED']);
  });
});

describe('another tenant', () => {
  it('sees no menu of this one, changes none, and may use the same names', async () => {
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
    for (const answer of [
      ...(await attempts()),
      await theirs.get('/menus/main'),
      await theirs.get('/menus/main/translations'),
      await theirs.put('/menus/main', { label: 'Theirs' }),
      await theirs.post('/menus/main/items', { type: 'custom', label: 'x' }),
      await theirs.put('/menus/main/items', { items: [] }),
      await theirs.post('/menus/main/reorder', { items: [] }),
      await theirs.delete('/menus/main'),
    ])
      expect(outcome(answer)).toEqual([404, 'NOT_FOUND']);
    expect((await theirs.post('/menus', { name: 'main', label: 'Theirs' })).status).toBe(201);
    for (const answer of await attempts()) expect(outcome(answer)).toEqual([404, 'NOT_FOUND']);
    const below = await theirs.post('/menus/main/items', { type: 'custom', label: 'x', parentId: item.id });
    expect(outcome(below)).toEqual([400, 'VALIDATION_ERROR']);
    expect((await admin.get('/menus/main')).data).toEqual(menu);
    await other.close();
  });
  it('does not have its entries found by id from here', async () => {
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
