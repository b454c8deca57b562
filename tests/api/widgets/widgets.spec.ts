import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;
let area = '';
let count = 0;

beforeAll(async () => {
  admin = await site.as('admin');
});
beforeEach(async () => {
  count += 1;
  area = `/widget-areas/area-${count}`;
  await admin.post('/widget-areas', { name: `area-${count}`, label: 'An area' });
});

interface Widget {
  id: string;
  title?: string;
}

const add = (body: object = { type: 'content' }) => admin.post(`${area}/widgets`, body);
const update = (id: string, body: object) => admin.put(`${area}/widgets/${id}`, body);
const reorder = (widgetIds: unknown) => admin.post(`${area}/reorder`, { widgetIds });
const stored = async (): Promise<Widget[]> => (await admin.get(area)).data.widgets;
const titles = async () => (await stored()).map(({ title }) => title);
/** Creates widgets with these titles. @returns their ids. */
async function createWidgets(...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const title of names) ids.push((await add({ type: 'content', title })).data.id);
  return ids;
}
const invalid = [400, 'VALIDATION_ERROR'];
const missing = [404, 'NOT_FOUND'];

describe('POST /widget-areas/{name}/widgets', () => {
  it('returns 201 without unset properties', async () => {
    const response = await add({ type: 'menu' });
    expect(response.status).toBe(201);
    expect(response.data).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      type: 'menu',
    });
    expect(await stored()).toEqual([response.data]);
  });
  it('stores every property of the request, also those of other types', async () => {
    const input = {
      type: 'component',
      title: 'Latest',
      content: [{ _type: 'block', _key: 'a', children: [] }],
      menuName: 'main',
      componentId: 'core:latest',
      componentProps: { zebra: 1, apple: { deep: [null] } },
    };
    const { data } = await add(input);
    expect(data).toEqual({ id: data.id, ...input });
    const [widget] = (await admin.get(area)).data.widgets;
    expect(Object.keys(widget.componentProps)).toEqual(['zebra', 'apple']);
  });
  it('treats empty strings as unset', async () => {
    const { data } = await add({ type: 'menu', title: '', menuName: '', componentId: '' });
    expect(data).toEqual({ id: data.id, type: 'menu' });
  });
  it('appends new widgets, also for concurrent requests', async () => {
    await createWidgets('first', 'second');
    await Promise.all(Array.from({ length: 10 }, () => add({ type: 'content', title: 'raced' })));
    await createWidgets('last');
    expect(await titles()).toEqual(['first', 'second', ...Array(10).fill('raced'), 'last']);
    const places = await site.sql(
      `SELECT sort_order FROM widgets w JOIN widget_areas a ON a.id = w.area_id WHERE a.name = $1`,
      [`area-${count}`],
    );
    expect(new Set(places.map((row) => row['sort_order'])).size).toBe(13);
  });
  it.each([
    ['type', {}],
    ['type', { type: 'html' }],
    ['title', { type: 'menu', title: 'x'.repeat(201) }],
    ['title', { type: 'menu', title: 1 }],
    ['content', { type: 'content', content: 'text' }],
    ['content.0._type', { type: 'content', content: [{}] }],
    ['menuName', { type: 'menu', menuName: 'a\u0000' }],
    ['componentId', { type: 'component', componentId: 'x'.repeat(201) }],
    ['componentProps', { type: 'component', componentProps: [] }],
    ['componentProps.a.0', { type: 'component', componentProps: { a: ['\u0000'] } }],
    [
      'componentProps',
      {
        type: 'component',
        componentProps: Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`p${index}`, 1])),
      },
    ],
  ])('returns 400 VALIDATION_ERROR with the path %s', async (path, body) => {
    const response = await add(body);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([...invalid, path]);
  });
  it('returns 404 NOT_FOUND for an unknown area', async () => {
    expect(statusAndCode(await admin.post('/widget-areas/nothing/widgets', { type: 'menu' }))).toEqual(
      missing,
    );
  });
  it('rejects the 201st widget of an area, also for concurrent requests', async () => {
    await site.sql(
      `INSERT INTO widgets (id, area_id, sort_order, type)
       SELECT 'w' || n, (SELECT id FROM widget_areas WHERE name = $1), n, 'content' FROM generate_series(1, 199) n`,
      [`area-${count}`],
    );
    const responses = await Promise.all([add(), add()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect(statusAndCode(await add())).toEqual(invalid);
  });
});

describe('PUT /widget-areas/{name}/widgets/{id}', () => {
  it('updates only the properties of the request', async () => {
    const { data } = await add({ type: 'content', title: 'Old', menuName: 'main' });
    const response = await update(data.id, { title: 'New' });
    expect(response.data).toEqual({ ...data, title: 'New' });
    expect(await stored()).toEqual([response.data]);
  });
  it('updates every property', async () => {
    const [id] = await createWidgets('Old');
    const input = {
      type: 'component',
      title: 'New',
      content: [{ _type: 'block', _key: 'a' }],
      menuName: 'main',
      componentId: 'core:latest',
      componentProps: { count: 3 },
    };
    expect((await update(String(id), input)).data).toEqual({ id, ...input });
  });
  it('clears texts with empty strings', async () => {
    const { data } = await add({ type: 'component', title: 'a', menuName: 'b', componentId: 'c' });
    const response = await update(data.id, { title: '', menuName: '', componentId: '' });
    expect(response.data).toEqual({ id: data.id, type: 'component' });
  });
  it("keeps the widget's position", async () => {
    const [, id] = await createWidgets('a', 'b', 'c');
    await update(String(id), { title: 'B', type: 'menu' });
    expect(await titles()).toEqual(['a', 'B', 'c']);
  });
  it.each([
    ['', {}],
    ['', { sortOrder: 1 }],
    ['type', { type: 'html' }],
    ['title', { title: null }],
    ['content.0', { content: [1] }],
  ])('returns 400 VALIDATION_ERROR with the path "%s"', async (path, body) => {
    const [id] = await createWidgets('a');
    const response = await update(String(id), body);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([...invalid, path]);
  });
  it('updates updated_at of the area', async () => {
    const [id] = await createWidgets('a');
    await site.sql("UPDATE widget_areas SET updated_at = '2020-01-01Z' WHERE name = $1", [`area-${count}`]);
    await update(String(id), { title: 'b' });
    expect((await admin.get(area)).data.updated_at > '2020-01-02').toBe(true);
  });
});

describe('DELETE /widget-areas/{name}/widgets/{id}', () => {
  it('deletes a widget once when 5 requests race', async () => {
    const [id] = await createWidgets('a', 'b');
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => admin.delete(`${area}/widgets/${id}`)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    expect(responses.find(({ status }) => status === 200)?.data).toEqual({ deleted: true });
    expect(await titles()).toEqual(['b']);
  });
});

describe('operations on a widget of another area', () => {
  it('return 404 NOT_FOUND and change nothing', async () => {
    const [id] = await createWidgets('theirs');
    const home = area;
    await admin.post('/widget-areas', { name: `visited-${count}`, label: 'x' });
    area = `/widget-areas/visited-${count}`;
    expect(statusAndCode(await update(String(id), { title: 'ours' }))).toEqual(missing);
    expect(statusAndCode(await admin.delete(`${area}/widgets/${id}`))).toEqual(missing);
    expect(statusAndCode(await reorder([id]))).toEqual(invalid);
    area = home;
    expect(await titles()).toEqual(['theirs']);
  });
});

describe('POST /widget-areas/{name}/reorder', () => {
  it('puts the widgets into the requested order', async () => {
    const [a, b, c] = await createWidgets('a', 'b', 'c');
    const response = await reorder([c, a, b]);
    expect([response.status, response.data]).toEqual([200, { success: true }]);
    expect(await titles()).toEqual(['c', 'a', 'b']);
  });
  it('keeps the position of omitted widgets', async () => {
    const [, , c, d] = await createWidgets('a', 'b', 'c', 'd', 'e');
    await reorder([d, c]);
    const places = await site.sql(
      `SELECT title, sort_order AS place FROM widgets WHERE area_id = (SELECT id FROM widget_areas WHERE name = $1)
       ORDER BY title`,
      [`area-${count}`],
    );
    expect(places.map(({ place }) => place)).toEqual([0, 1, 1, 0, 4]);
  });
  it('changes nothing for an empty list', async () => {
    await createWidgets('a', 'b');
    expect((await reorder([])).data).toEqual({ success: true });
    expect(await titles()).toEqual(['a', 'b']);
  });
  it('rejects unknown and repeated widgets with one issue each and changes nothing', async () => {
    const [a, b] = await createWidgets('a', 'b');
    const response = await reorder([b, 'unknown', a, b]);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([
      ...invalid,
      'widgetIds.1',
      'widgetIds.3',
    ]);
    expect(await titles()).toEqual(['a', 'b']);
  });
  it.each([
    ['widgetIds', undefined],
    ['widgetIds', 'a'],
    ['widgetIds.0', ['']],
    ['widgetIds.0', [1]],
    ['widgetIds', Array.from({ length: 201 }, (_, index) => `w${index}`)],
  ])('returns 400 VALIDATION_ERROR with the path %s', async (path, widgetIds) => {
    const response = await reorder(widgetIds);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([...invalid, path]);
  });
  it('returns 404 NOT_FOUND for an unknown area', async () => {
    expect(statusAndCode(await admin.post('/widget-areas/nothing/reorder', { widgetIds: [] }))).toEqual(
      missing,
    );
  });
  it('ends in one of the requested orders for 10 concurrent requests', async () => {
    const ids = await createWidgets('a', 'b', 'c', 'd');
    const orders = Array.from({ length: 10 }, (_, turn) => ids.map((_id, at) => ids[(at + turn) % 4]));
    const responses = await Promise.all(orders.map(reorder));
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(orders).toContainEqual((await stored()).map(({ id }) => id));
  });
  it('returns 200 or 400 while a widget is deleted concurrently', async () => {
    const ids = await createWidgets('a', 'b', 'c');
    const [reordered, deleted] = await Promise.all([
      reorder([...ids].reverse()),
      admin.delete(`${area}/widgets/${ids[1]}`),
    ]);
    expect(deleted.status).toBe(200);
    expect([200, 400]).toContain(reordered.status);
    expect((await titles()).sort()).toEqual(['a', 'c']);
  });
});
