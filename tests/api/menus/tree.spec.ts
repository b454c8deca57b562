import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';
import { createTestMenu, renderItems, validationError, type MenuItem, type TestMenu } from './support.js';

const site = useSite();
let admin: Client;
let menu: TestMenu;

beforeAll(async () => {
  admin = await site.as('admin');
});
beforeEach(async () => void (menu = await createTestMenu(admin)));
const reorder = (list: unknown) => admin.post(`${menu.path}/reorder`, { items: list });
const position = (id: string | undefined, parentId: string | null | undefined, sortOrder: number) => ({
  id,
  parentId: parentId ?? null,
  sortOrder,
});

/** Whether every item is reachable from the top, which a cycle is not. */
const isWhole = (list: readonly MenuItem[]) => (renderItems(list).match(/\w+/g) ?? []).length === list.length;

describe('PUT /menus/{name}/items/{id} with parentId', () => {
  it('moves an item with its descendants', async () => {
    const ids = await menu.createItems('a b>a c>b d');
    await menu.move(ids['b'], ids['d']);
    expect(await menu.renderTree()).toBe('a d(b(c))');
  });
  it.each([
    ['itself', 'a', 'a'],
    ['its child', 'a', 'b'],
    ['a descendant', 'a', 'd'],
  ])('returns 400 for %s', async (_, from, to) => {
    const ids = await menu.createItems('a b>a c>b d>c');
    const response = await menu.move(ids[from], ids[to]);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([...validationError, 'parentId']);
    expect(await menu.renderTree()).toBe('a(b(c(d)))');
  });
  it('creates no cycle when 6 requests race', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ids = await menu.createItems('a b c d');
      const responses = await Promise.all([
        menu.move(ids['a'], ids['b']),
        menu.move(ids['b'], ids['c']),
        menu.move(ids['c'], ids['d']),
        menu.move(ids['d'], ids['a']),
        reorder([position(ids['a'], ids['d'], 0), position(ids['b'], null, 0)]),
        reorder([position(ids['d'], ids['b'], 0)]),
      ]);
      for (const { status } of responses) expect([200, 400]).toContain(status);
      expect(isWhole(await menu.items())).toBe(true);
    }
  });
  it('keeps a complete tree when it races with the deletion of the parent', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ids = await menu.createItems('a b');
      const [moved, removed] = await Promise.all([
        menu.move(ids['b'], ids['a']),
        admin.delete(`${menu.path}/items/${ids['a']}`),
      ]);
      expect(removed.status).toBe(200);
      expect([200, 400]).toContain(moved.status);
      expect(isWhole(await menu.items())).toBe(true);
    }
  });
});

describe('POST /menus/{name}/reorder', () => {
  it('moves several items and returns all items in order', async () => {
    const ids = await menu.createItems('a b c d>c');
    const response = await reorder([
      position(ids['c'], null, 0),
      position(ids['a'], null, 1),
      position(ids['b'], ids['a'], 0),
      position(ids['d'], ids['a'], 1),
    ]);
    expect(response.status).toBe(200);
    expect(renderItems(response.data)).toBe('c a(b d)');
    expect(response.data).toEqual(await menu.items());
  });
  it('exchanges a parent and its child in one request', async () => {
    const ids = await menu.createItems('a b>a');
    expect(
      renderItems((await reorder([position(ids['b'], null, 0), position(ids['a'], ids['b'], 0)])).data),
    ).toBe('b(a)');
  });
  it('keeps items that are not listed', async () => {
    const ids = await menu.createItems('a b c');
    await reorder([position(ids['c'], ids['a'], 5)]);
    expect((await menu.items()).map(({ label, sortOrder }) => `${label}${sortOrder}`)).toEqual([
      'a0',
      'b1',
      'c5',
    ]);
  });
  it('returns the items unchanged for an empty list', async () => {
    await menu.createItems('a b');
    expect((await reorder([])).data).toEqual(await menu.items());
  });
  it('ignores unknown keys', async () => {
    const ids = await menu.createItems('a');
    expect((await reorder([{ ...position(ids['a'], null, 3), label: 'x' }])).data[0]).toMatchObject({
      label: 'a',
      sortOrder: 3,
    });
  });
  it('returns 400 naming each foreign item, duplicate and unknown parent, and changes nothing', async () => {
    const ids = await menu.createItems('a b c');
    const other = await createTestMenu(admin);
    const { id: foreign } = (await other.add()).data;
    const response = await reorder([
      position(ids['c'], null, 0),
      position(foreign, null, 1),
      position(ids['c'], null, 2),
      position(ids['a'], foreign, 3),
      position('nothing', null, 4),
    ]);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([
      ...validationError,
      'items.1.id',
      'items.2.id',
      'items.3.parentId',
      'items.4.id',
    ]);
    expect(await menu.renderTree()).toBe('a b c');
  });
  it('returns 400 naming each item of a cycle, and changes nothing', async () => {
    const ids = await menu.createItems('a b c d>c');
    const response = await reorder([
      position(ids['b'], ids['d'], 0),
      position(ids['a'], ids['b'], 0),
      position(ids['c'], ids['a'], 0),
    ]);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([
      ...validationError,
      'items.0.parentId',
      'items.1.parentId',
      'items.2.parentId',
    ]);
    expect(await menu.renderTree()).toBe('a b c(d)');
  });
  it.each([
    ['items', undefined],
    ['items', {}],
    ['items.0.id', [{ id: '', parentId: null, sortOrder: 0 }]],
    ['items.0.parentId', [{ id: 'a', sortOrder: 0 }]],
    ['items.0.sortOrder', [{ id: 'a', parentId: null, sortOrder: -1 }]],
    ['items.0.sortOrder', [{ id: 'a', parentId: null }]],
    [
      'items',
      Array.from({ length: 1_001 }, (_, index) => ({ id: `${index}`, parentId: null, sortOrder: 0 })),
    ],
  ])('returns 400 naming %s', async (path, list) => {
    const response = await reorder(list);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([...validationError, path]);
  });
  it('returns 404 NOT_FOUND for an unknown menu', async () => {
    expect(statusAndCode(await admin.post('/menus/nothing/reorder', { items: [] }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });
  it('stores one of the orders when 10 requests race', async () => {
    const ids = Object.values(await menu.createItems('a b c d'));
    const orders = Array.from({ length: 10 }, (_, turn) => ids.map((_id, at) => ids[(at + turn) % 4]));
    const responses = await Promise.all(
      orders.map((order) => reorder(order.map((id, index) => position(id, null, index)))),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(orders).toContainEqual((await menu.items()).map(({ id }) => id));
  });
});

describe('DELETE /menus/{name}/items/{id} (decision 34)', () => {
  it.each([
    ['a b c', 'b', 'a c'],
    ['a b c d>b e>b f>d', 'b', 'a d(f) e c'],
    ['a b>a c>b d>a', 'b', 'a(c d)'],
    ['a b>a c>a', 'a', 'b c'],
  ])('of "%s" without %s leaves "%s"', async (before, label, after) => {
    const ids = await menu.createItems(before);
    const response = await admin.delete(`${menu.path}/items/${ids[label]}`);
    expect(response.data).toEqual({ deleted: true });
    expect(await menu.renderTree()).toBe(after);
  });
  it('returns 200 once when 5 requests race', async () => {
    const ids = await menu.createItems('a b>a');
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => admin.delete(`${menu.path}/items/${ids['a']}`)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    expect(await menu.renderTree()).toBe('b');
  });
  it('moves remaining items to the top when deletions of parents and children race', async () => {
    const ids = await menu.createItems('a b>a c>b d>c');
    const responses = await Promise.all(
      ['a', 'b', 'c'].map((label) => admin.delete(`${menu.path}/items/${ids[label]}`)),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await menu.renderTree()).toBe('d');
  });
});
