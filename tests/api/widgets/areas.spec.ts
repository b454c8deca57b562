import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, openSite, statusAndCode, type Client, type Site } from '@quire/testing';

let site: Site;
let admin: Client;
let count = 0;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
});
afterAll(() => site.close());

const create = (body: object = {}) => {
  count += 1;
  return admin.post('/widget-areas', { name: `area-${count}`, label: 'An area', ...body });
};
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('createWidgetArea', () => {
  it('answers 201 with every documented property, instants in both spellings', async () => {
    const { status, data } = await create({ name: 'side', label: 'Side' });
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      name: 'side',
      label: 'Side',
      description: null,
      created_at: instant,
      updated_at: instant,
      createdAt: data.created_at,
      updatedAt: data.updated_at,
    });
  });
  it('stores a description', async () => {
    expect((await create({ description: 'Beside the text' })).data.description).toBe('Beside the text');
  });
  it.each(['a', '0-a_b', 'x'.repeat(100)])('takes the name %j', async (name) => {
    expect((await create({ name })).status).toBe(201);
  });
  it.each([
    ['name', { name: '' }],
    ['name', { name: 'Side' }],
    ['name', { name: '-side' }],
    ['name', { name: 'a b' }],
    ['name', { name: 'a/b' }],
    ['name', { name: 'a\n' }],
    ['name', { name: 'x'.repeat(101) }],
    ['label', { label: undefined }],
    ['label', { label: ' ' }],
    ['label', { label: 'x'.repeat(201) }],
    ['label', { label: 'a\u0000' }],
    ['description', { description: 'x'.repeat(2_001) }],
  ])('names %s as wrong', async (path, body) => {
    const answer = await create(body);
    expect(statusAndCode(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(new Set(issuePaths(answer))).toEqual(new Set([path]));
  });
  it('answers 409 CONFLICT for a taken name, of ten at once for nine', async () => {
    await create({ name: 'taken' });
    expect(statusAndCode(await create({ name: 'taken' }))).toEqual([409, 'CONFLICT']);
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ name: 'raced' })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ error }) => error.code === 'CONFLICT')).toHaveLength(9);
  });
});

describe('getWidgetArea', () => {
  it('gives the area with its widgets, none at first', async () => {
    const area = (await create()).data;
    expect((await admin.get(`/widget-areas/${area.name}`)).data).toEqual({ ...area, widgets: [] });
  });
  it('answers 404 NOT_FOUND for an unknown area, 400 for a name that no text column can hold', async () => {
    expect(statusAndCode(await admin.get('/widget-areas/nothing'))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await admin.get('/widget-areas/%00'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('listWidgetAreas', () => {
  it('gives every area by name with its own widgets and their number', async () => {
    const other = await openSite();
    const client = await other.as('admin');
    for (const name of ['b', 'a', 'c']) await client.post('/widget-areas', { name, label: name });
    for (const title of ['one', 'two'])
      await client.post('/widget-areas/a/widgets', { type: 'content', title });
    const { items } = (await client.get('/widget-areas')).data;
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'c']);
    expect(items.map(({ widgetCount }: { widgetCount: number }) => widgetCount)).toEqual([2, 0, 0]);
    const { widgetCount: _widgetCount, ...area } = items[0];
    expect(area).toEqual((await client.get('/widget-areas/a')).data);
    expect(items[1].widgets).toEqual([]);
    await other.close();
  });
});

describe('deleteWidgetArea', () => {
  it('removes an area with its widgets and no others', async () => {
    const [gone, stays] = [(await create()).data, (await create()).data];
    for (const { name } of [gone, stays])
      await admin.post(`/widget-areas/${name}/widgets`, { type: 'content' });
    expect((await admin.delete(`/widget-areas/${gone.name}`)).data).toEqual({ deleted: true });
    expect(statusAndCode(await admin.get(`/widget-areas/${gone.name}`))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await admin.delete(`/widget-areas/${gone.name}`))).toEqual([404, 'NOT_FOUND']);
    expect(await site.sql('SELECT 1 FROM widgets WHERE area_id = $1', [gone.id])).toEqual([]);
    expect((await admin.get(`/widget-areas/${stays.name}`)).data.widgets).toHaveLength(1);
  });
  it('while widgets are added to it ends in an area that is gone, and no failure', async () => {
    const { name } = (await create()).data;
    const add = () => admin.post(`/widget-areas/${name}/widgets`, { type: 'content' });
    const [removed, ...added] = await Promise.all([
      admin.delete(`/widget-areas/${name}`),
      ...Array.from({ length: 8 }, add),
    ]);
    expect(removed.status).toBe(200);
    for (const { status } of added) expect([201, 404]).toContain(status);
    expect(statusAndCode(await add())).toEqual([404, 'NOT_FOUND']);
  });
});
