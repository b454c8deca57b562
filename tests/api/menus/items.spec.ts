import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';
import { createTestMenu, notFound, validationError, type TestMenu } from './support.js';

const site = useSite();
let admin: Client;
let menu: TestMenu;

beforeAll(async () => {
  admin = await site.as('admin');
});
beforeEach(async () => void (menu = await createTestMenu(admin)));
const added = async (body: object = {}) => (await menu.add(body)).data;
const change = (id: string, body: object) => admin.put(`${menu.path}/items/${id}`, body);

const safe = [
  'https://a.example/x?y#z',
  'HTTP://A.EXAMPLE',
  'mailto:a@b.example',
  'tel:+4912345',
  '/',
  '/about/us?x=1',
  '#top',
];
const unsafe = [
  'javascript:alert(1)',
  ' JavaScript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://a.example',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  'http:evil',
  'www.a.example',
  '',
  '  ',
  'a\u0000',
];

describe('POST /menus/{name}/items', () => {
  it('returns 201 with every documented property, unset ones as null', async () => {
    const { id } = (await admin.get(menu.path)).data;
    const { status, data } = await admin.post(`${menu.path}/items`, { type: 'custom', label: 'Home' });
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      menuId: id,
      parentId: null,
      sortOrder: 0,
      type: 'custom',
      referenceCollection: null,
      referenceId: null,
      customUrl: null,
      label: 'Home',
      titleAttr: null,
      target: null,
      cssClasses: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      locale: 'en',
      translationGroup: data.id,
    });
    expect(await menu.items()).toEqual([data]);
  });
  it('stores all submitted properties', async () => {
    const parent = await added();
    const sent = {
      type: 'collection',
      label: 'Shop',
      referenceCollection: 'products',
      customUrl: '/shop',
      titleAttr: 'All we sell',
      target: '_blank',
      cssClasses: 'bold red',
      parentId: parent.id,
      sortOrder: 7,
    };
    expect(await added(sent)).toMatchObject(sent);
  });
  it('stores null for empty texts', async () => {
    const none = { titleAttr: '', target: '', cssClasses: '', referenceCollection: '', referenceId: '' };
    const nulls = Object.fromEntries(Object.keys(none).map((key) => [key, null]));
    expect(await added(none)).toMatchObject(nulls);
  });
  it('appends an item to its siblings, also when 10 requests race', async () => {
    const parent = await added({ sortOrder: 4 });
    expect((await added()).sortOrder).toBe(5);
    expect((await added({ parentId: parent.id })).sortOrder).toBe(0);
    const responses = await Promise.all(Array.from({ length: 10 }, () => menu.add({ parentId: parent.id })));
    const sortOrders = responses.map(({ data }) => data.sortOrder).sort((one, two) => one - two);
    expect(sortOrders).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
  it('orders items by sortOrder', async () => {
    for (const [label, sortOrder] of Object.entries({ c: 2, a: 0, b: 1 }))
      await menu.add({ label, sortOrder });
    expect((await menu.items()).map(({ label }) => label)).toEqual(['a', 'b', 'c']);
  });
  it('nests items 30 levels deep', async () => {
    let parentId: string | null = null;
    for (let level = 0; level < 30; level += 1) parentId = (await added({ parentId })).id;
    expect(await menu.items()).toHaveLength(30);
  });
  it.each(safe)('accepts the link %s', async (customUrl) => {
    expect((await added({ customUrl })).customUrl).toBe(customUrl);
  });
  it('trims a link', async () => {
    expect((await added({ customUrl: '  /about ' })).customUrl).toBe('/about');
  });
  it.each(unsafe)('returns 400 for the link %j', async (customUrl) => {
    const response = await menu.add({ customUrl });
    expect(statusAndCode(response)).toEqual(validationError);
    expect(new Set(issuePaths(response))).toEqual(new Set(['customUrl']));
    expect(await menu.items()).toEqual([]);
  });
  it.each([
    ['type', { type: 'entry' }],
    ['type', { type: undefined }],
    ['label', { label: undefined }],
    ['label', { label: ' ' }],
    ['label', { label: 'x'.repeat(501) }],
    ['customUrl', { customUrl: `/${'x'.repeat(2_048)}` }],
    ['titleAttr', { titleAttr: 'x'.repeat(501) }],
    ['target', { target: 'x'.repeat(51) }],
    ['cssClasses', { cssClasses: 'a\u0000' }],
    ['referenceCollection', { referenceCollection: 'x'.repeat(64) }],
    ['referenceId', { referenceId: 'x'.repeat(65) }],
    ['sortOrder', { sortOrder: -1 }],
    ['sortOrder', { sortOrder: 1.5 }],
    ['sortOrder', { sortOrder: 1_000_000_001 }],
    ['parentId', { parentId: '' }],
    ['parentId', { parentId: 'nothing' }],
    ['', { url: '/x' }],
    ['', { menuId: 'x' }],
  ])('returns 400 naming "%s"', async (path, body) => {
    const response = await menu.add(body);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([...validationError, path]);
  });
  it('returns 400 for a parent of another menu', async () => {
    const { id } = await added();
    const other = await createTestMenu(admin);
    expect(issuePaths(await other.add({ parentId: id }))).toEqual(['parentId']);
  });
  it('returns 404 NOT_FOUND for an unknown menu', async () => {
    expect(statusAndCode(await admin.post('/menus/nothing/items', { type: 'custom', label: 'x' }))).toEqual(
      notFound,
    );
  });
  it('returns 400 for item 1001, also when 2 requests race for item 1000', async () => {
    await site.sql(
      `INSERT INTO menu_items (id, menu_id, sort_order, type, label, translation_group)
       SELECT 'i' || n, (SELECT id FROM menus WHERE name = $1), n, 'custom', 'x', 'g' || n
       FROM generate_series(1, 999) n`,
      [menu.name],
    );
    const responses = await Promise.all([menu.add(), menu.add()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400]);
  });
  it('updates updatedAt of the menu', async () => {
    await site.sql("UPDATE menus SET updated_at = '2020-01-01Z' WHERE name = $1", [menu.name]);
    await menu.add();
    expect((await admin.get(menu.path)).data.updatedAt > '2020-01-02').toBe(true);
  });
});

describe('PUT /menus/{name}/items/{id}', () => {
  it('updates only the submitted properties', async () => {
    const before = await added({ customUrl: '/a', titleAttr: 'Old' });
    const response = await change(before.id, { label: 'New' });
    expect(response.data).toEqual({ ...before, label: 'New' });
    expect(await menu.items()).toEqual([response.data]);
  });
  it('updates every changeable property', async () => {
    const [parent, item] = [await added(), await added()];
    const sent = {
      label: 'New',
      customUrl: '#new',
      target: '_self',
      titleAttr: 'T',
      cssClasses: 'c',
      parentId: parent.id,
      sortOrder: 3,
    };
    expect((await change(item.id, sent)).data).toEqual({ ...item, ...sent });
  });
  it('clears properties with empty texts or null, and moves an item to the top with parentId null', async () => {
    const parent = await added();
    const full = { titleAttr: 'T', target: 't', cssClasses: 'c', customUrl: '/x', parentId: parent.id };
    const item = await added(full);
    const sent = { titleAttr: '', target: '', cssClasses: null, customUrl: null, parentId: null };
    expect((await change(item.id, sent)).data).toMatchObject({
      titleAttr: null,
      target: null,
      cssClasses: null,
      customUrl: null,
      parentId: null,
    });
  });
  it('accepts an empty body', async () => {
    const item = await added();
    expect((await change(item.id, {})).data).toEqual(item);
  });
  it.each(unsafe)('returns 400 for the link %j', async (customUrl) => {
    const item = await added({ customUrl: '/safe' });
    expect(statusAndCode(await change(item.id, { customUrl }))).toEqual(validationError);
    expect(await menu.items()).toEqual([item]);
  });
  it.each([
    ['', { type: 'page' }],
    ['', { referenceId: 'x' }],
    ['', { referenceCollection: 'pages' }],
    ['', { locale: 'de' }],
    ['label', { label: null }],
    ['label', { label: '' }],
    ['sortOrder', { sortOrder: -1 }],
    ['parentId', { parentId: 'nothing' }],
  ])('returns 400 naming "%s"', async (path, body) => {
    const item = await added();
    const response = await change(item.id, body);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([...validationError, path]);
    expect(await menu.items()).toEqual([item]);
  });
  it('returns 404 NOT_FOUND for an unknown menu or item and for an item of another menu', async () => {
    const { id } = await added();
    expect(statusAndCode(await admin.put(`/menus/nothing/items/${id}`, { label: 'x' }))).toEqual(notFound);
    expect(statusAndCode(await change('nothing', { label: 'x' }))).toEqual(notFound);
    expect(statusAndCode(await change('nothing', { parentId: id }))).toEqual(notFound);
    const other = await createTestMenu(admin);
    for (const body of [{ label: 'x' }, { parentId: null }])
      expect(statusAndCode(await admin.put(`${other.path}/items/${id}`, body))).toEqual(notFound);
    expect(statusAndCode(await admin.delete(`${other.path}/items/${id}`))).toEqual(notFound);
    expect(await menu.items()).toHaveLength(1);
  });
});

describe('referenceId of a menu item', () => {
  const entry = async (locale = 'en', more: object = {}) =>
    (await admin.post('/content/pages', { data: { title: locale }, locale, ...more })).data.item;
  beforeAll(async () => {
    await site.collection({ slug: 'pages' });
    await site.collection({ slug: 'deleted' });
  });

  it.each([
    ['page', { type: 'page', referenceCollection: 'pages' }],
    ['page without a collection', { type: 'page' }],
    ['post of another collection', { type: 'post', referenceCollection: 'pages' }],
    ['collection', { type: 'collection', referenceCollection: 'pages' }],
  ])('is stored as a translation group for the entry id of a %s', async (_, body) => {
    const { id } = await entry();
    const translated = await entry('de', { translationOf: id });
    expect(await added({ ...body, referenceId: translated.id })).toMatchObject({ ...body, referenceId: id });
    expect((await added({ ...body, referenceId: id })).referenceId).toBe(id);
  });
  it('is stored as a translation group for the id of a term (contract 18)', async () => {
    await admin.post('/taxonomies', { name: 'topic', label: 'Topics' });
    const term = (await admin.post('/taxonomies/topic/terms', { label: 'News' })).data.term;
    const german = (
      await admin.post('/taxonomies/topic/terms', { label: 'Neues', locale: 'de', translationOf: term.id })
    ).data.term;
    const item = await added({
      type: 'taxonomy',
      label: 'x',
      referenceCollection: 'topic',
      referenceId: german.id,
    });
    expect(item.referenceId).toBe(term.translationGroup);
  });
  it('is stored as submitted when it is unknown', async () => {
    for (const body of [
      { type: 'page', referenceId: 'nothing' },
      { type: 'post', referenceId: 'nothing' },
      { type: 'page', referenceCollection: 'unknown', referenceId: 'x' },
      { type: 'page', referenceCollection: 'a"b; --', referenceId: 'x' },
      { type: 'taxonomy', referenceCollection: 'nothing', referenceId: 'term' },
    ])
      expect(await added(body)).toMatchObject(body);
  });
  it('is retained after the entry or the collection was deleted', async () => {
    const page = await entry();
    const { item } = (await admin.post('/content/deleted', { data: { title: 'x' } })).data;
    await menu.add({ type: 'page', referenceId: page.id });
    const retained = await added({
      type: 'collection',
      referenceCollection: 'deleted',
      referenceId: item.id,
    });
    const before = await menu.items();
    await admin.delete(`/content/pages/${page.id}`);
    await admin.delete(`/content/pages/${page.id}/permanent`);
    expect((await admin.delete('/schema/collections/deleted?force=true')).status).toBe(200);
    expect(await menu.items()).toEqual(before);
    expect((await change(retained.id, { label: 'New' })).data).toEqual({ ...retained, label: 'New' });
    const again = await menu.add({
      type: 'collection',
      referenceCollection: 'deleted',
      referenceId: item.id,
    });
    expect([again.status, again.data.referenceId]).toEqual([201, item.id]);
  });
});
