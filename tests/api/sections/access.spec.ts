import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, outcome, type Answer, type Client, type Site, type TestRole } from '@quire/testing';

let site: Site;
beforeAll(async () => {
  site = await openSite();
  const admin = await site.as('admin');
  await admin.post('/sections', { slug: 'hero', title: 'Hero', content: [] });
});
afterAll(() => site.close());

type Call = (client: Client) => Promise<Answer>;
const reads: [string, Call][] = [
  ['listSections', (client) => client.get('/sections')],
  ['getSection', (client) => client.get('/sections/hero')],
];
// Each is addressed so that a caller who gets in changes nothing: what counts here is the door.
const writes: [string, Call][] = [
  ['createSection', (client) => client.post('/sections', { slug: 'hero', title: 'Hero', content: [] })],
  ['updateSection', (client) => client.put('/sections/nothing', { title: 'x' })],
  ['deleteSection', (client) => client.delete('/sections/nothing')],
];

const everybody: TestRole[] = ['subscriber', 'contributor', 'author', 'editor', 'admin'];
const letsIn = (answer: Answer) => expect([401, 403]).not.toContain(answer.status);

describe('sections:read', () => {
  it.each(reads)('lets every role use %s', async (_name, call) => {
    for (const role of everybody) expect((await call(await site.as(role))).status).toBe(200);
  });
});

describe('sections:manage', () => {
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
  it('sees no section of this one, changes none, and may use the same slugs', async () => {
    const other = await openSite();
    const theirs = await other.as('admin');
    expect((await theirs.get('/sections')).data).toEqual({ items: [] });
    for (const answer of [
      await theirs.get('/sections/hero'),
      await theirs.put('/sections/hero', { title: 'Theirs' }),
      await theirs.delete('/sections/hero'),
    ])
      expect(outcome(answer)).toEqual([404, 'NOT_FOUND']);
    const made = await theirs.post('/sections', { slug: 'hero', title: 'Theirs', content: [] });
    expect(made.status).toBe(201);
    expect((await (await site.as('admin')).get('/sections/hero')).data.title).toBe('Hero');
    await other.close();
  });
  it('cannot go on with a cursor of this one', async () => {
    const admin = await site.as('admin');
    await admin.post('/sections', { slug: 'second', title: 'Second', content: [] });
    const { nextCursor } = (await admin.get('/sections?limit=1')).data;
    const other = await openSite();
    expect(outcome(await (await other.as('admin')).get(`/sections?cursor=${nextCursor}`))).toEqual([
      400,
      'INVALID_CURSOR',
    ]);
    await other.close();
  });
});
