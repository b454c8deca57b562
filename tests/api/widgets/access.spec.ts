import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, outcome, type Answer, type Client, type Site, type TestRole } from '@quire/testing';

let site: Site;
beforeAll(async () => {
  site = await openSite();
  const admin = await site.as('admin');
  await admin.post('/widget-areas', { name: 'side', label: 'Side' });
});
afterAll(() => site.close());

type Call = (client: Client) => Promise<Answer>;
const reads: [string, Call][] = [
  ['listWidgetAreas', (client) => client.get('/widget-areas')],
  ['getWidgetArea', (client) => client.get('/widget-areas/side')],
];
// Each is addressed so that a caller who gets in changes nothing: what counts here is the door.
const nothing = '/widget-areas/nothing';
const writes: [string, Call][] = [
  ['createWidgetArea', (client) => client.post('/widget-areas', { name: 'side', label: 'Side' })],
  ['deleteWidgetArea', (client) => client.delete(nothing)],
  ['createWidget', (client) => client.post(`${nothing}/widgets`, { type: 'menu' })],
  ['updateWidget', (client) => client.put(`${nothing}/widgets/1`, { title: 'x' })],
  ['deleteWidget', (client) => client.delete(`${nothing}/widgets/1`)],
  ['reorderWidgets', (client) => client.post(`${nothing}/reorder`, { widgetIds: [] })],
];

const everybody: TestRole[] = ['subscriber', 'contributor', 'author', 'editor', 'admin'];
const letsIn = (answer: Answer) => expect([401, 403]).not.toContain(answer.status);

describe('widgets:read', () => {
  it.each(reads)('lets every role use %s', async (_name, call) => {
    for (const role of everybody) expect((await call(await site.as(role))).status).toBe(200);
  });
});

describe('widgets:manage', () => {
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
  it.each(writes)('needs content:write for %s', async (_name, call) => {
    letsIn(await call(await site.withScopes('admin', ['content:write'])));
    const client = await site.withScopes('admin', ['content:read', 'menus:manage']);
    expect(outcome(await call(client))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });
  it('with content:write has no more rights than its role', async () => {
    const client = await site.withScopes('author', ['content:write']);
    for (const [, call] of writes) expect(outcome(await call(client))).toEqual([403, 'FORBIDDEN']);
  });
});

describe('without a credential', () => {
  it.each([...reads, ...writes])('%s answers 401 NOT_AUTHENTICATED', async (_name, call) => {
    expect(outcome(await call(site.anonymous()))).toEqual([401, 'NOT_AUTHENTICATED']);
  });
});

describe('another tenant', () => {
  it('sees no area of this one, changes none, and may use the same names', async () => {
    const admin = await site.as('admin');
    const widget = (await admin.post('/widget-areas/side/widgets', { type: 'menu', title: 'Ours' })).data;
    const other = await openSite();
    const theirs = await other.as('admin');
    expect((await theirs.get('/widget-areas')).data).toEqual({ items: [] });
    const attempts = async () => [
      await theirs.put(`/widget-areas/side/widgets/${widget.id}`, { title: 'Theirs' }),
      await theirs.delete(`/widget-areas/side/widgets/${widget.id}`),
    ];
    for (const answer of [
      ...(await attempts()),
      await theirs.get('/widget-areas/side'),
      await theirs.post('/widget-areas/side/widgets', { type: 'menu' }),
      await theirs.post('/widget-areas/side/reorder', { widgetIds: [] }),
      await theirs.delete('/widget-areas/side'),
    ])
      expect(outcome(answer)).toEqual([404, 'NOT_FOUND']);
    expect((await theirs.post('/widget-areas', { name: 'side', label: 'Theirs' })).status).toBe(201);
    for (const answer of await attempts()) expect(outcome(answer)).toEqual([404, 'NOT_FOUND']);
    const { label, widgets } = (await admin.get('/widget-areas/side')).data;
    expect({ label, widgets }).toEqual({ label: 'Side', widgets: [widget] });
    await other.close();
  });
});
