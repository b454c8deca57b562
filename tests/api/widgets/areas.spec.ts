import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, openSite, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;
let count = 0;

beforeAll(async () => {
  admin = await site.as('admin');
});

const create = (body: object = {}) => {
  count += 1;
  return admin.post('/widget-areas', { name: `area-${count}`, label: 'An area', ...body });
};
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('POST /widget-areas', () => {
  it('returns 201 with every documented property, timestamps in both spellings', async () => {
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
  it.each(['a', '0-a_b', 'x'.repeat(100)])('accepts the name %j', async (name) => {
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
  ])('returns 400 VALIDATION_ERROR with the path %s', async (path, body) => {
    const response = await create(body);
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(new Set(issuePaths(response))).toEqual(new Set([path]));
  });
  it('returns 409 CONFLICT for a taken name, and to 9 of 10 concurrent requests', async () => {
    await create({ name: 'taken' });
    expect(statusAndCode(await create({ name: 'taken' }))).toEqual([409, 'CONFLICT']);
    const responses = await Promise.all(Array.from({ length: 10 }, () => create({ name: 'raced' })));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ error }) => error.code === 'CONFLICT')).toHaveLength(9);
  });
});

describe('GET /widget-areas/{name}', () => {
  it('returns a new area with an empty list of widgets', async () => {
    const area = (await create()).data;
    expect((await admin.get(`/widget-areas/${area.name}`)).data).toEqual({ ...area, widgets: [] });
  });
  it('returns 404 NOT_FOUND for an unknown area and 400 for a name with a NUL character', async () => {
    expect(statusAndCode(await admin.get('/widget-areas/nothing'))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await admin.get('/widget-areas/%00'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('GET /widget-areas', () => {
  it('returns every area sorted by name with its widgets and their count', async () => {
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

describe('DELETE /widget-areas/{name}', () => {
  it('deletes only the area and its widgets', async () => {
    const [deleted, remaining] = [(await create()).data, (await create()).data];
    for (const { name } of [deleted, remaining])
      await admin.post(`/widget-areas/${name}/widgets`, { type: 'content' });
    expect((await admin.delete(`/widget-areas/${deleted.name}`)).data).toEqual({ deleted: true });
    expect(statusAndCode(await admin.get(`/widget-areas/${deleted.name}`))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await admin.delete(`/widget-areas/${deleted.name}`))).toEqual([404, 'NOT_FOUND']);
    expect(await site.sql('SELECT 1 FROM widgets WHERE area_id = $1', [deleted.id])).toEqual([]);
    expect((await admin.get(`/widget-areas/${remaining.name}`)).data.widgets).toHaveLength(1);
  });
  it('deletes the area without failures while widgets are created concurrently', async () => {
    const { name } = (await create()).data;
    const add = () => admin.post(`/widget-areas/${name}/widgets`, { type: 'content' });
    const [deletion, ...creations] = await Promise.all([
      admin.delete(`/widget-areas/${name}`),
      ...Array.from({ length: 8 }, add),
    ]);
    expect(deletion.status).toBe(200);
    for (const { status } of creations) expect([201, 404]).toContain(status);
    expect(statusAndCode(await add())).toEqual([404, 'NOT_FOUND']);
  });
});
