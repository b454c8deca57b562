import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { issuePaths, openSite, statusAndCode, type Client, type Site } from '@quire/testing';

let site: Site;
let admin: Client;
let area = '';
let count = 0;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
});
beforeEach(async () => {
  count += 1;
  area = `/widget-areas/area-${count}`;
  await admin.post('/widget-areas', { name: `area-${count}`, label: 'An area' });
});
afterAll(() => site.close());

interface Widget {
  id: string;
  title?: string;
}

const add = (body: object = { type: 'content' }) => admin.post(`${area}/widgets`, body);
const change = (id: string, body: object) => admin.put(`${area}/widgets/${id}`, body);
const reorder = (widgetIds: unknown) => admin.post(`${area}/reorder`, { widgetIds });
const stored = async (): Promise<Widget[]> => (await admin.get(area)).data.widgets;
const titles = async () => (await stored()).map(({ title }) => title);
/** Adds widgets with these titles. @returns their ids. */
async function added(...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const title of names) ids.push((await add({ type: 'content', title })).data.id);
  return ids;
}
const invalid = [400, 'VALIDATION_ERROR'];
const missing = [404, 'NOT_FOUND'];

describe('createWidget', () => {
  it('answers 201; what is not set is absent', async () => {
    const answer = await add({ type: 'menu' });
    expect(answer.status).toBe(201);
    expect(answer.data).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      type: 'menu',
    });
    expect(await stored()).toEqual([answer.data]);
  });
  it('stores what is sent, what does not belong to the type included', async () => {
    const sent = {
      type: 'component',
      title: 'Latest',
      content: [{ _type: 'block', _key: 'a', children: [] }],
      menuName: 'main',
      componentId: 'core:latest',
      componentProps: { zebra: 1, apple: { deep: [null] } },
    };
    const { data } = await add(sent);
    expect(data).toEqual({ id: data.id, ...sent });
    const [widget] = (await admin.get(area)).data.widgets;
    expect(Object.keys(widget.componentProps)).toEqual(['zebra', 'apple']);
  });
  it('takes empty texts as not set', async () => {
    const { data } = await add({ type: 'menu', title: '', menuName: '', componentId: '' });
    expect(data).toEqual({ id: data.id, type: 'menu' });
  });
  it('puts new widgets last, also when many come at once', async () => {
    await added('first', 'second');
    await Promise.all(Array.from({ length: 10 }, () => add({ type: 'content', title: 'raced' })));
    await added('last');
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
  ])('names %s as wrong', async (path, body) => {
    const answer = await add(body);
    expect([...statusAndCode(answer), ...issuePaths(answer)]).toEqual([...invalid, path]);
  });
  it('answers 404 NOT_FOUND for an unknown area', async () => {
    expect(statusAndCode(await admin.post('/widget-areas/nothing/widgets', { type: 'menu' }))).toEqual(
      missing,
    );
  });
  it('refuses the 201st widget of an area, also when two want to be the 200th', async () => {
    await site.sql(
      `INSERT INTO widgets (id, area_id, sort_order, type)
       SELECT 'w' || n, (SELECT id FROM widget_areas WHERE name = $1), n, 'content' FROM generate_series(1, 199) n`,
      [`area-${count}`],
    );
    const answers = await Promise.all([add(), add()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect(statusAndCode(await add())).toEqual(invalid);
  });
});

describe('updateWidget', () => {
  it('changes what is sent and nothing else', async () => {
    const { data } = await add({ type: 'content', title: 'Old', menuName: 'main' });
    const answer = await change(data.id, { title: 'New' });
    expect(answer.data).toEqual({ ...data, title: 'New' });
    expect(await stored()).toEqual([answer.data]);
  });
  it('changes every property', async () => {
    const [id] = await added('Old');
    const sent = {
      type: 'component',
      title: 'New',
      content: [{ _type: 'block', _key: 'a' }],
      menuName: 'main',
      componentId: 'core:latest',
      componentProps: { count: 3 },
    };
    expect((await change(String(id), sent)).data).toEqual({ id, ...sent });
  });
  it('clears texts with empty ones', async () => {
    const { data } = await add({ type: 'component', title: 'a', menuName: 'b', componentId: 'c' });
    const answer = await change(data.id, { title: '', menuName: '', componentId: '' });
    expect(answer.data).toEqual({ id: data.id, type: 'component' });
  });
  it('keeps its place', async () => {
    const [, id] = await added('a', 'b', 'c');
    await change(String(id), { title: 'B', type: 'menu' });
    expect(await titles()).toEqual(['a', 'B', 'c']);
  });
  it.each([
    ['', {}],
    ['', { sortOrder: 1 }],
    ['type', { type: 'html' }],
    ['title', { title: null }],
    ['content.0', { content: [1] }],
  ])('names "%s" as wrong', async (path, body) => {
    const [id] = await added('a');
    const answer = await change(String(id), body);
    expect([...statusAndCode(answer), ...issuePaths(answer)]).toEqual([...invalid, path]);
  });
  it('moves updated_at of the area', async () => {
    const [id] = await added('a');
    await site.sql("UPDATE widget_areas SET updated_at = '2020-01-01Z' WHERE name = $1", [`area-${count}`]);
    await change(String(id), { title: 'b' });
    expect((await admin.get(area)).data.updated_at > '2020-01-02').toBe(true);
  });
});

describe('deleteWidget', () => {
  it('deletes a widget once when 5 requests race', async () => {
    const [id] = await added('a', 'b');
    const answers = await Promise.all(Array.from({ length: 5 }, () => admin.delete(`${area}/widgets/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    expect(answers.find(({ status }) => status === 200)?.data).toEqual({ deleted: true });
    expect(await titles()).toEqual(['b']);
  });
});

describe('operations on a widget of another area', () => {
  it('return 404 NOT_FOUND and change nothing', async () => {
    const [id] = await added('theirs');
    const home = area;
    await admin.post('/widget-areas', { name: `visited-${count}`, label: 'x' });
    area = `/widget-areas/visited-${count}`;
    expect(statusAndCode(await change(String(id), { title: 'ours' }))).toEqual(missing);
    expect(statusAndCode(await admin.delete(`${area}/widgets/${id}`))).toEqual(missing);
    expect(statusAndCode(await reorder([id]))).toEqual(invalid);
    area = home;
    expect(await titles()).toEqual(['theirs']);
  });
});

describe('reorderWidgets', () => {
  it('puts the widgets into the order that is sent', async () => {
    const [a, b, c] = await added('a', 'b', 'c');
    const answer = await reorder([c, a, b]);
    expect([answer.status, answer.data]).toEqual([200, { success: true }]);
    expect(await titles()).toEqual(['c', 'a', 'b']);
  });
  it('leaves the place number of those that are left out', async () => {
    const [, , c, d] = await added('a', 'b', 'c', 'd', 'e');
    await reorder([d, c]);
    const places = await site.sql(
      `SELECT title, sort_order AS place FROM widgets WHERE area_id = (SELECT id FROM widget_areas WHERE name = $1)
       ORDER BY title`,
      [`area-${count}`],
    );
    expect(places.map(({ place }) => place)).toEqual([0, 1, 1, 0, 4]);
  });
  it('changes nothing for an empty list', async () => {
    await added('a', 'b');
    expect((await reorder([])).data).toEqual({ success: true });
    expect(await titles()).toEqual(['a', 'b']);
  });
  it('refuses a stranger and a widget named twice, naming each, and changes nothing', async () => {
    const [a, b] = await added('a', 'b');
    const answer = await reorder([b, 'stranger', a, b]);
    expect([...statusAndCode(answer), ...issuePaths(answer)]).toEqual([
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
  ])('names %s as wrong', async (path, widgetIds) => {
    const answer = await reorder(widgetIds);
    expect([...statusAndCode(answer), ...issuePaths(answer)]).toEqual([...invalid, path]);
  });
  it('answers 404 NOT_FOUND for an unknown area', async () => {
    expect(statusAndCode(await admin.post('/widget-areas/nothing/reorder', { widgetIds: [] }))).toEqual(
      missing,
    );
  });
  it('by ten at once ends in one of the orders that were sent', async () => {
    const ids = await added('a', 'b', 'c', 'd');
    const orders = Array.from({ length: 10 }, (_, turn) => ids.map((_id, at) => ids[(at + turn) % 4]));
    const answers = await Promise.all(orders.map(reorder));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(orders).toContainEqual((await stored()).map(({ id }) => id));
  });
  it('while a widget is removed answers or names it as a stranger, and never fails', async () => {
    const ids = await added('a', 'b', 'c');
    const [ordered, removed] = await Promise.all([
      reorder([...ids].reverse()),
      admin.delete(`${area}/widgets/${ids[1]}`),
    ]);
    expect(removed.status).toBe(200);
    expect([200, 400]).toContain(ordered.status);
    expect((await titles()).sort()).toEqual(['a', 'c']);
  });
});
