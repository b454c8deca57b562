import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, useSite, type Client } from '@quire/testing';

const site = useSite();
let editor: Client;

beforeAll(async () => {
  editor = await site.as('editor');
});

const call = (name: string, args: object = {}, client = editor) => callTool(client, name, args);
/** Creates the menu in each locale. @returns the created menus */
async function createIn(name: string, ...locales: string[]) {
  const created = [];
  for (const locale of locales)
    created.push((await call('menu_create', { name, label: `In ${locale}`, locale })).data);
  return created;
}
const link = (label: string, more: object = {}) => ({ label, type: 'custom', customUrl: '/', ...more });

interface Item {
  id: string;
  label: string;
  parentId: string | null;
}
/** Items of a menu as "label<parent". */
async function tree(name: string): Promise<string[]> {
  const { items } = (await call('menu_get', { name })).data as { items: Item[] };
  const labels = new Map(items.map(({ id, label }) => [id, label]));
  return items.map(({ label, parentId }) => (parentId === null ? label : `${label}<${labels.get(parentId)}`));
}

describe('menu_create, menu_list and menu_get', () => {
  it('create, list and return a menu', async () => {
    const { data: created } = await call('menu_create', { name: 'main', label: 'Main' });
    expect(created).toEqual({
      id: expect.any(String),
      name: 'main',
      label: 'Main',
      locale: 'en',
      translationGroup: created.id,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    expect((await call('menu_list')).data).toEqual([{ ...created, itemCount: 0 }]);
    expect((await call('menu_get', { name: 'main' })).data).toEqual({ ...created, items: [] });
  });

  it('menu_create rejects a taken name with CONFLICT', async () => {
    expect((await call('menu_create', { name: 'main', label: 'Main' })).code).toBe('CONFLICT');
  });

  it.each([
    ['name', { name: 'main-2', label: 'A' }],
    ['name', { name: '2nd', label: 'A' }],
    ['name', { name: 'Main', label: 'A' }],
    ['label', { name: 'a' }],
    ['label', { name: 'a', label: 1 }],
    ['locale', { name: 'a', label: 'A', locale: 'not a locale' }],
    ['locale', { name: 'a', label: 'A', translationOf: 'x' }],
  ])('menu_create rejects an invalid %s with VALIDATION_ERROR: %j', async (path, args) => {
    const { code, details } = await call('menu_create', args);
    expect([code, details?.['issues']]).toEqual(['VALIDATION_ERROR', [expect.objectContaining({ path })]]);
  });

  it('menu_create copies the items into a translation, and rejects an unknown source with NOT_FOUND', async () => {
    const [source] = await createIn('copied', 'en');
    await call('menu_set_items', { name: 'copied', items: [link('a'), link('b', { parentIndex: 0 })] });
    const input = { name: 'copied', label: 'Kopie', locale: 'de', translationOf: source.id };
    const { data } = await call('menu_create', input);
    expect(data).toMatchObject({ locale: 'de', translationGroup: source.id });
    const { items } = (await call('menu_get', { name: 'copied', locale: 'de' })).data;
    expect(items.map(({ label }: Item) => label)).toEqual(['a', 'b']);
    expect(items[1].parentId).toBe(items[0].id);
    expect((await call('menu_create', { ...input, locale: 'fr', translationOf: 'x' })).code).toBe(
      'NOT_FOUND',
    );
  });

  it('menu_list returns the menus of one locale, or of all', async () => {
    await createIn('listed', 'en', 'pt');
    const listed = async (args: object) =>
      (await call('menu_list', args)).data.map(
        (menu: Record<string, unknown>) => `${menu['name']} ${menu['locale']}`,
      );
    expect(await listed({ locale: 'pt' })).toEqual(['listed pt']);
    expect(await listed({ locale: 'it' })).toEqual([]);
    expect(await listed({})).toEqual(expect.arrayContaining(['listed en', 'listed pt', 'main en']));
  });

  it('menu_get returns the locale with the lowest code unless one is named', async () => {
    await createIn('spoken', 'fr', 'en', 'de');
    expect((await call('menu_get', { name: 'spoken' })).data.locale).toBe('de');
    expect((await call('menu_get', { name: 'spoken', locale: 'fr' })).data.locale).toBe('fr');
    expect((await call('menu_get', { name: 'spoken', locale: 'it' })).code).toBe('NOT_FOUND');
    expect((await call('menu_get', { name: 'nothing' })).code).toBe('NOT_FOUND');
  });
});

describe('menu_update, menu_delete and menu_set_items', () => {
  it('change the menu of one locale', async () => {
    await createIn('both', 'en', 'de');
    const updated = await call('menu_update', { name: 'both', label: 'New', locale: 'de' });
    expect(updated.data).toMatchObject({ name: 'both', label: 'New', locale: 'de' });
    expect((await call('menu_get', { name: 'both', locale: 'en' })).data.label).toBe('In en');
    expect((await call('menu_delete', { name: 'both', locale: 'de' })).data).toEqual({ deleted: true });
    expect((await call('menu_delete', { name: 'both', locale: 'de' })).code).toBe('NOT_FOUND');
    expect((await call('menu_update', { name: 'both', label: 'Left' })).data.locale).toBe('en');
  });

  it.each([
    ['menu_update', { label: 'New' }],
    ['menu_delete', {}],
    ['menu_set_items', { items: [] }],
  ])(
    '%s rejects a name with several locales with AMBIGUOUS_LOCALE, and changes nothing',
    async (tool, args) => {
      const name = `${tool}_ambiguous`;
      await createIn(name, 'en', 'de');
      await call('menu_set_items', { name, items: [link('kept')], locale: 'de' });
      const { code, text } = await call(tool, { name, ...args });
      expect([code, text]).toEqual(['AMBIGUOUS_LOCALE', expect.stringContaining('de, en')]);
      expect((await call('menu_get', { name })).data).toMatchObject({
        label: 'In de',
        items: [{ label: 'kept' }],
      });
    },
  );

  it('menu_update requires a label', async () => {
    expect((await call('menu_update', { name: 'main' })).code).toBe('VALIDATION_ERROR');
  });

  it('menu_set_items replaces all items in the order of the array, at any depth', async () => {
    await createIn('tree', 'en');
    const items = [link('a'), link('b', { parentIndex: 0 }), link('c', { parentIndex: 1 }), link('d')];
    expect((await call('menu_set_items', { name: 'tree', items })).data).toEqual({
      name: 'tree',
      itemCount: 4,
    });
    expect(await tree('tree')).toEqual(['a', 'b<a', 'c<b', 'd']);
    await call('menu_set_items', { name: 'tree', items: [link('z'), link('y')] });
    expect(await tree('tree')).toEqual(['z', 'y']);
    expect((await call('menu_set_items', { name: 'tree', items: [] })).data.itemCount).toBe(0);
    expect(await tree('tree')).toEqual([]);
  });

  it.each([
    ['its own index as parentIndex', [link('a', { parentIndex: 0 })], 'items.0.parentIndex'],
    ['the index of a later item', [link('a', { parentIndex: 1 }), link('b')], 'items.0.parentIndex'],
    ['a negative index', [link('a'), link('b', { parentIndex: -1 })], 'items.1.parentIndex'],
    ['an index in a text', [link('a'), link('b', { parentIndex: '0' })], 'items.1.parentIndex'],
    ['a script as link', [link('a', { customUrl: 'javascript:alert(1)' })], 'items.0.customUrl'],
    ['an unknown type', [{ label: 'a', type: 'video' }], 'items.0.type'],
    ['no label', [{ type: 'custom' }], 'items.0.label'],
  ])('menu_set_items rejects an item with %s, and the old items stay', async (_, items, path) => {
    const name = 'guarded';
    await call('menu_create', { name, label: 'Guarded' });
    await call('menu_set_items', { name, items: [link('old')] });
    const { code, details } = await call('menu_set_items', { name, items });
    expect([code, details?.['issues']]).toEqual(['VALIDATION_ERROR', [expect.objectContaining({ path })]]);
    expect(await tree(name)).toEqual(['old']);
  });

  it('menu_set_items stores all properties of an item', async () => {
    await createIn('whole', 'en');
    const properties = {
      label: 'A page',
      type: 'page',
      referenceCollection: 'pages',
      referenceId: 'p1',
      titleAttr: 'Title',
      target: '_blank',
      cssClasses: 'big',
    };
    await call('menu_set_items', { name: 'whole', items: [properties] });
    const { items } = (await call('menu_get', { name: 'whole' })).data;
    expect(items).toEqual([
      {
        ...properties,
        id: expect.any(String),
        menuId: expect.any(String),
        parentId: null,
        sortOrder: 0,
        customUrl: null,
        createdAt: expect.stringMatching(/Z$/),
        locale: 'en',
        translationGroup: items[0].id,
      },
    ]);
  });
});

describe('menu_translations', () => {
  it('returns all locales by the id of any of the menus, or of the group', async () => {
    const [source] = await createIn('translated', 'en');
    const german = { name: 'translated', label: 'Deutsch', locale: 'de', translationOf: source.id };
    const { id } = (await call('menu_create', german)).data;
    const expected = {
      translationGroup: source.id,
      translations: [
        { id, name: 'translated', label: 'Deutsch', locale: 'de', updatedAt: expect.any(String) },
        { id: source.id, name: 'translated', label: 'In en', locale: 'en', updatedAt: expect.any(String) },
      ],
    };
    expect((await call('menu_translations', { id: source.id })).data).toEqual(expected);
    expect((await call('menu_translations', { id })).data).toEqual(expected);
    await call('menu_delete', { name: 'translated', locale: 'en' });
    const [left] = expected.translations;
    expect((await call('menu_translations', { id: source.id })).data.translations).toEqual([left]);
    for (const unknown of ['translated', 'x'])
      expect((await call('menu_translations', { id: unknown })).code).toBe('NOT_FOUND');
  });
});

describe('rights of the menu tools', () => {
  it.each([
    ['menu_create', { name: 'x', label: 'X' }],
    ['menu_update', { name: 'x', label: 'X' }],
    ['menu_delete', { name: 'x' }],
    ['menu_set_items', { name: 'x', items: [] }],
  ])('%s requires menus:manage or content:write, and an editor', async (tool, args) => {
    const codes = await Promise.all([
      call(tool, args, await site.withScopes('editor', ['content:read', 'taxonomies:manage'])),
      call(tool, args, await site.as('author')),
    ]);
    expect(codes.map(({ code }) => code)).toEqual(['INSUFFICIENT_SCOPE', 'INSUFFICIENT_PERMISSIONS']);
    for (const scope of ['menus:manage', 'content:write'])
      expect((await call(tool, args, await site.withScopes('editor', [scope]))).code ?? '').not.toMatch(
        /INSUFF/,
      );
  });

  it('subscribers read menus with content:read', async () => {
    const reader = await site.withScopes('subscriber', ['content:read']);
    expect((await call('menu_list', {}, reader)).isError).toBe(false);
    const other = await site.withScopes('editor', ['menus:manage']);
    for (const [tool, args] of [
      ['menu_list', {}],
      ['menu_get', { name: 'x' }],
      ['menu_translations', { id: 'x' }],
    ] as const)
      expect((await call(tool, args, other)).code).toBe('INSUFFICIENT_SCOPE');
  });
});
