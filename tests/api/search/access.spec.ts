import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeDoors, openSite, outcome, type Door } from '@quire/testing';
import { openSearchableSite, titlesOf, type SearchableSite } from './searchable-site.js';

let on: SearchableSite;
beforeAll(async () => {
  on = await openSearchableSite();
  await on.publish({ title: 'Visible' });
  await on.admin.post('/content/posts', { data: { title: 'Visible draft' } });
  await on.untilFound('visible', ['Visible']);
});
afterAll(() => on.site.close());

const doors: Door[] = [
  {
    permission: 'search:read',
    lowest: 'subscriber',
    scopes: ['content:read'],
    answers: 200,
    operations: {
      search: (client) => client.get('/search?q=visible'),
      searchSuggest: (client) => client.get('/search/suggest?q=visible'),
    },
  },
  {
    permission: 'search:manage',
    lowest: 'admin',
    scopes: ['content:read'],
    answers: 200,
    operations: { getSearchStats: (client) => client.get('/search/stats') },
  },
  {
    permission: 'search:manage',
    lowest: 'admin',
    scopes: ['admin'],
    operations: {
      rebuildSearchIndex: (client) => client.post('/search/rebuild', { collection: 'nothing' }),
      enableSearch: (client) => client.post('/search/enable', { collection: 'nothing', enabled: true }),
    },
  },
];
describeDoors(() => on.site, doors);

describe('entries that are not published', () => {
  it('are not found by those who may not read drafts, whatever status is asked for', async () => {
    await on.untilFound('visible', ['Visible', 'Visible draft'], { status: 'all' });
    const subscriber = await on.site.as('subscriber');
    for (const status of ['draft', 'scheduled', 'all', 'trash', 'anything'])
      expect(titlesOf(await subscriber.get(`/search?q=visible&status=${status}`))).toEqual(['Visible']);
    expect(titlesOf(await subscriber.get('/search/suggest?q=visible&status=all'))).toEqual(['Visible']);
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
