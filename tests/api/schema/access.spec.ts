import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createSiteTable,
  describePermissions,
  openSite,
  statusAndCode,
  useSite,
  type PermissionCase,
} from '@quire/testing';

const site = useSite();
beforeAll(async () => {
  await site.collection();
  const admin = await site.as('admin');
  await admin.post('/schema/block-types', { slug: 'quote', label: 'Quote', fields: [] });
});

const collections = '/schema/collections';
const fields = `${collections}/nothing/fields`;
const blockTypes = '/schema/block-types';
const permissionCases: PermissionCase[] = [
  {
    permission: 'schema:read',
    minRole: 'editor',
    scopes: ['schema:read'],
    expectedStatus: 200,
    operations: {
      listCollections: (client) => client.get(collections),
      getCollection: (client) => client.get(`${collections}/posts`),
      listFields: (client) => client.get(`${collections}/posts/fields`),
      getField: (client) => client.get(`${collections}/posts/fields/title`),
      exportSchema: (client) => client.get('/schema'),
      listBlockTypes: (client) => client.get(blockTypes),
      getBlockType: (client) => client.get(`${blockTypes}/quote`),
    },
  },
  {
    permission: 'schema:manage',
    minRole: 'admin',
    scopes: ['schema:write'],
    operations: {
      createCollection: (client) => client.post(collections, { slug: 'posts', label: 'Posts' }),
      updateCollection: (client) => client.put(`${collections}/nothing`, { label: 'x' }),
      deleteCollection: (client) => client.delete(`${collections}/nothing`),
      reorderCollections: (client) => client.post(`${collections}/reorder`, { slugs: ['nothing'] }),
      createField: (client) => client.post(fields, { slug: 'a', label: 'A', type: 'string' }),
      updateField: (client) => client.put(`${fields}/a`, { label: 'x' }),
      deleteField: (client) => client.delete(`${fields}/a`),
      reorderFields: (client) => client.post(`${fields}/reorder`, { fieldSlugs: [] }),
      registerOrphanedTable: (client) => client.post('/schema/orphans/nothing'),
      createBlockType: (client) => client.post(blockTypes, { slug: 'quote', label: 'Quote', fields: [] }),
      updateBlockType: (client) => client.put(`${blockTypes}/nothing`, { expectedFingerprint: 'x' }),
      activateBlockTypeVersion: (client) =>
        client.post(`${blockTypes}/nothing/versions/1/activate`, { expectedFingerprint: 'x' }),
    },
  },
  {
    permission: 'schema:manage',
    minRole: 'admin',
    scopes: ['schema:read'],
    expectedStatus: 200,
    operations: { listOrphanedTables: (client) => client.get('/schema/orphans') },
  },
];
describePermissions(() => site, permissionCases);

describe('schema of another tenant', () => {
  it('is not found; its slugs can be reused', async () => {
    const other = await openSite();
    const theirs = await other.as('admin');
    const ours = await site.as('admin');
    expect((await theirs.get('/schema/collections')).data.items).toEqual([]);
    for (const path of ['', '/fields', '/fields/title'])
      expect(statusAndCode(await theirs.get(`/schema/collections/posts${path}`))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await theirs.delete('/schema/collections/posts?force=true'))).toEqual([
      404,
      'COLLECTION_NOT_FOUND',
    ]);
    await other.collection({ fields: [{ slug: 'title', type: 'text' }] });
    expect((await theirs.get('/schema/collections/posts/fields')).data.items).toHaveLength(1);
    expect((await ours.get('/schema/collections/posts/fields/title')).data.item.type).toBe('string');
    expect((await theirs.delete('/schema/collections/posts')).status).toBe(200);
    expect((await ours.get('/schema/collections/posts/fields')).data.items).toHaveLength(2);
    await other.close();
  });
  it('includes no orphaned table of this tenant', async () => {
    const other = await openSite();
    await createSiteTable(site, 'content_stray', 'id text PRIMARY KEY');
    expect((await (await site.as('admin')).get('/schema/orphans')).data.items).toHaveLength(1);
    const theirs = await other.as('admin');
    expect((await theirs.get('/schema/orphans')).data.items).toEqual([]);
    expect(statusAndCode(await theirs.post('/schema/orphans/stray'))).toEqual([404, 'TABLE_NOT_FOUND']);
    await other.close();
  });
});
