import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';
import { createTestMenu, validationError, type TestMenu } from './support.js';

const site = useSite();
let admin: Client;
let menu: TestMenu;

beforeAll(async () => {
  admin = await site.as('admin');
});
beforeEach(async () => void (menu = await createTestMenu(admin)));

describe('PUT /menus/{name}/items (document 2, rule 10)', () => {
  const set = (list: unknown) => admin.put(`${menu.path}/items`, { items: list });
  const item = (label: string, parentIndex?: number) => ({ type: 'custom', label, parentIndex });

  it('replaces all items, in order, nested by parentIndex', async () => {
    await menu.createItems('old older>old');
    const response = await set([item('a'), item('b', 0), item('c'), item('d', 1), item('e', 0)]);
    expect(response.data).toEqual({ name: menu.name, itemCount: 5 });
    expect(await menu.renderTree()).toBe('a(b(d) e) c');
    expect((await menu.items()).map(({ label, sortOrder }) => `${label}${sortOrder}`)).toEqual([
      'a0',
      'b1',
      'c2',
      'd3',
      'e4',
    ]);
  });
  it('stores every property, and references as translation groups', async () => {
    await site.collection({ slug: 'pages' });
    const create = async (body: object) =>
      (await admin.post('/content/pages', { data: { title: 'x' }, ...body })).data.item;
    const { id } = await create({});
    const translated = await create({ locale: 'de', translationOf: id });
    const look = { label: 'L', titleAttr: 'T', target: '_blank', cssClasses: 'c' };
    await set([
      { ...look, type: 'page', referenceCollection: 'pages', referenceId: translated.id },
      { ...look, type: 'custom', customUrl: ' /x ' },
    ]);
    expect(await menu.items()).toMatchObject([
      { ...look, type: 'page', referenceCollection: 'pages', referenceId: id, customUrl: null },
      { ...look, type: 'custom', referenceCollection: null, referenceId: null, customUrl: '/x' },
    ]);
  });
  it('deletes all items for an empty list', async () => {
    await menu.createItems('a b>a');
    expect((await set([])).data.itemCount).toBe(0);
    expect(await menu.items()).toEqual([]);
  });
  it('nests items 1000 levels deep', async () => {
    const list = Array.from({ length: 1_000 }, (_, index) =>
      item(`i${index}`, index === 0 ? undefined : index - 1),
    );
    expect((await set(list)).data.itemCount).toBe(1_000);
    const stored = await menu.items();
    expect(stored.filter(({ parentId }) => parentId === null)).toHaveLength(1);
    expect(statusAndCode(await menu.move(stored[0]?.id, stored[999]?.id))).toEqual(validationError);
    expect((await menu.move(stored[999]?.id, stored[0]?.id)).status).toBe(200);
  });
  it.each([
    ['items.0.parentIndex', [item('a', 0)]],
    ['items.1.parentIndex', [item('a'), item('b', 2), item('c')]],
    ['items.0.parentIndex', [item('a', -1)]],
    ['items.1.customUrl', [item('a'), { ...item('b'), customUrl: 'javascript:x' }]],
    ['items.0.label', [item(' ')]],
    ['items.0', [{ ...item('a'), parentId: 'x' }]],
    ['items', Array.from({ length: 1_001 }, () => item('a'))],
    ['items', undefined],
  ])('returns 400 naming %s and changes nothing', async (path, list) => {
    await menu.createItems('old older>old');
    const response = await set(list);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([...validationError, path]);
    expect(await menu.renderTree()).toBe('old(older)');
  });
  it('returns 404 NOT_FOUND for an unknown menu', async () => {
    expect(statusAndCode(await admin.put('/menus/nothing/items', { items: [] }))).toEqual([404, 'NOT_FOUND']);
  });
  it('stores one complete list when 10 requests race', async () => {
    await menu.createItems('a b');
    const lists = Array.from({ length: 10 }, (_, n) => [item(`l${n}`), item(`m${n}`, 0), item(`n${n}`, 1)]);
    const responses = await Promise.all(lists.map(set));
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await menu.renderTree()).toMatch(/^l(\d)\(m\1\(n\1\)\)$/);
  });
});
