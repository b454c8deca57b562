import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describePermissions, openSite, statusAndCode, type PermissionCase } from '@quire/testing';
import { openSearchableSite, titlesOf, type SearchableSite } from './searchable-site.js';

let on: SearchableSite;
beforeAll(async () => {
  on = await openSearchableSite();
  await on.publish({ title: 'Visible' });
  await on.admin.post('/content/posts', { data: { title: 'Visible draft' } });
  await on.waitUntilFound('visible', ['Visible']);
});
afterAll(() => on.site.close());

const permissionCases: PermissionCase[] = [
  {
    permission: 'search:read',
    minRole: 'subscriber',
    scopes: ['content:read'],
    expectedStatus: 200,
    operations: {
      search: (client) => client.get('/search?q=visible'),
      searchSuggest: (client) => client.get('/search/suggest?q=visible'),
    },
  },
  {
    permission: 'search:manage',
    minRole: 'admin',
    scopes: ['content:read'],
    expectedStatus: 200,
    operations: { getSearchStats: (client) => client.get('/search/stats') },
  },
  {
    permission: 'search:manage',
    minRole: 'admin',
    scopes: ['admin'],
    operations: {
      rebuildSearchIndex: (client) => client.post('/search/rebuild', { collection: 'nothing' }),
      enableSearch: (client) => client.post('/search/enable', { collection: 'nothing', enabled: true }),
    },
  },
];
describePermissions(() => on.site, permissionCases);

describe('unpublished entries', () => {
  it('are hidden from users without content:read_drafts for every status filter', async () => {
    await on.waitUntilFound('visible', ['Visible', 'Visible draft'], { status: 'all' });
    const subscriber = await on.site.as('subscriber');
    for (const status of ['draft', 'scheduled', 'all', 'trash', 'anything'])
      expect(titlesOf(await subscriber.get(`/search?q=visible&status=${status}`))).toEqual(['Visible']);
    expect(titlesOf(await subscriber.get('/search/suggest?q=visible&status=all'))).toEqual(['Visible']);
  });
});

describe('search of another site', () => {
  it('finds no entries of this site and rejects its cursor', async () => {
    const other = await openSite();
    try {
      const outsider = await other.as('admin');
      expect(titlesOf(await outsider.get('/search?q=visible'))).toEqual([]);
      expect(titlesOf(await outsider.get('/search/suggest?q=visible'))).toEqual([]);
      expect((await outsider.get('/search/stats')).data).toEqual({ collections: {} });
      await on.publish({ title: 'Visible too' });
      await on.waitUntilFound('visible', ['Visible', 'Visible too']);
      const { nextCursor } = (await on.search('visible', { limit: '1' })).data;
      const response = await outsider.get(`/search?q=visible&cursor=${nextCursor}`);
      expect(statusAndCode(response)).toEqual([400, 'INVALID_CURSOR']);
    } finally {
      await other.close();
    }
  });
});
