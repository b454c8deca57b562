import { beforeAll, describe, expect, it } from '@jest/globals';
import { describePermissions, openSite, statusAndCode, type PermissionCase } from '@quire/testing';
import { useSearchableSite, titlesOf } from './support.js';

const searchSite = useSearchableSite();
beforeAll(async () => {
  await searchSite.publish({ title: 'Visible' });
  await searchSite.admin.post('/content/posts', { data: { title: 'Visible draft' } });
  await searchSite.waitUntilFound('visible', ['Visible']);
});

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
describePermissions(() => searchSite.site, permissionCases);

describe('unpublished entries', () => {
  it('are hidden from users without content:read_drafts for every status filter', async () => {
    await searchSite.waitUntilFound('visible', ['Visible', 'Visible draft'], { status: 'all' });
    const subscriber = await searchSite.site.as('subscriber');
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
      await searchSite.publish({ title: 'Visible too' });
      await searchSite.waitUntilFound('visible', ['Visible', 'Visible too']);
      const { nextCursor } = (await searchSite.search('visible', { limit: '1' })).data;
      const response = await outsider.get(`/search?q=visible&cursor=${nextCursor}`);
      expect(statusAndCode(response)).toEqual([400, 'INVALID_CURSOR']);
    } finally {
      await other.close();
    }
  });
});
