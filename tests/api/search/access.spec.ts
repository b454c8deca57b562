import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, outcome, type Answer, type Client, type TestRole } from '@quire/testing';
import { openSearchableSite, titlesOf, type SearchableSite } from './searchable-site.js';

let on: SearchableSite;
beforeAll(async () => {
  on = await openSearchableSite();
  await on.publish({ title: 'Visible' });
  await on.admin.post('/content/posts', { data: { title: 'Visible draft' } });
  await on.untilFound('visible', ['Visible']);
});
afterAll(() => on.site.close());

type Call = (client: Client) => Promise<Answer>;
const reads: [string, Call][] = [
  ['search', (client) => client.get('/search?q=visible')],
  ['searchSuggest', (client) => client.get('/search/suggest?q=visible')],
];
const stats: [string, Call] = ['getSearchStats', (client) => client.get('/search/stats')];
const writes: [string, Call][] = [
  ['rebuildSearchIndex', (client) => client.post('/search/rebuild', { collection: 'nothing' })],
  ['enableSearch', (client) => client.post('/search/enable', { collection: 'nothing', enabled: true })],
];
const everybody: TestRole[] = ['subscriber', 'contributor', 'author', 'editor', 'admin'];
const letsIn = (answer: Answer) => expect([401, 403]).not.toContain(answer.status);

describe('roles', () => {
  it.each(reads)('%s is for every role', async (_, call) => {
    for (const role of everybody) letsIn(await call(await on.site.as(role)));
  });

  it.each([stats, ...writes])('%s is for Admins', async (_, call) => {
    for (const role of everybody.slice(0, -1))
      expect(outcome(await call(await on.site.as(role)))).toEqual([403, 'FORBIDDEN']);
    letsIn(await call(on.admin));
  });

  it.each([...reads, stats, ...writes])('%s is not for anybody without a credential', async (_, call) => {
    expect(outcome(await call(on.site.anonymous()))).toEqual([401, 'NOT_AUTHENTICATED']);
  });
});

describe('scopes', () => {
  it.each([...reads, stats])('%s takes content:read', async (_, call) => {
    letsIn(await call(await on.site.withScopes('admin', ['content:read'])));
    const other = await on.site.withScopes('admin', ['media:read']);
    expect(outcome(await call(other))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  it.each(writes)('%s takes admin', async (_, call) => {
    const other = await on.site.withScopes('admin', ['content:read', 'content:write', 'settings:manage']);
    expect(outcome(await call(other))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });
});

describe('entries that are not published', () => {
  it('are found by nobody, whatever status is asked for', async () => {
    for (const status of ['draft', 'scheduled', 'trash', 'anything'])
      expect(titlesOf(await on.search('visible', { status }))).toEqual([]);
    const subscriber = await on.site.as('subscriber');
    expect(titlesOf(await subscriber.get('/search?q=visible&status=draft'))).toEqual(['Visible']);
    expect(titlesOf(await subscriber.get('/search/suggest?q=visible'))).toEqual(['Visible']);
  });
});

describe('another site', () => {
  it('finds nothing of this one, not even by its cursor', async () => {
    const other = await openSite();
    try {
      const stranger = await other.as('admin');
      expect(titlesOf(await stranger.get('/search?q=visible'))).toEqual([]);
      expect(titlesOf(await stranger.get('/search/suggest?q=visible'))).toEqual([]);
      expect((await stranger.get('/search/stats')).data).toEqual({ collections: {} });
      await on.publish({ title: 'Visible too' });
      await on.untilFound('visible', ['Visible', 'Visible too']);
      const { nextCursor } = (await on.search('visible', { limit: '1' })).data;
      const answer = await stranger.get(`/search?q=visible&cursor=${nextCursor}`);
      expect(outcome(answer)).toEqual([400, 'INVALID_CURSOR']);
    } finally {
      await other.close();
    }
  });
});
