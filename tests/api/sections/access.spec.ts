import { beforeAll, describe, expect, it } from '@jest/globals';
import { describePermissions, openSite, statusAndCode, useSite, type PermissionCase } from '@quire/testing';

const site = useSite();
beforeAll(async () => {
  const admin = await site.as('admin');
  await admin.post('/sections', { slug: 'hero', title: 'Hero', content: [] });
});

const permissionCases: PermissionCase[] = [
  {
    permission: 'sections:read',
    minRole: 'subscriber',
    scopes: ['content:read'],
    expectedStatus: 200,
    operations: {
      listSections: (client) => client.get('/sections'),
      getSection: (client) => client.get('/sections/hero'),
    },
  },
  {
    permission: 'sections:manage',
    minRole: 'editor',
    scopes: ['content:write'],
    operations: {
      createSection: (client) => client.post('/sections', { slug: 'hero', title: 'Hero', content: [] }),
      updateSection: (client) => client.put('/sections/nothing', { title: 'x' }),
      deleteSection: (client) => client.delete('/sections/nothing'),
    },
  },
];
describePermissions(() => site, permissionCases);

describe('sections of another site', () => {
  it('are not listed and return 404 NOT_FOUND; their slugs are free', async () => {
    const other = await openSite();
    const otherAdmin = await other.as('admin');
    expect((await otherAdmin.get('/sections')).data).toEqual({ items: [] });
    for (const response of [
      await otherAdmin.get('/sections/hero'),
      await otherAdmin.put('/sections/hero', { title: 'Other' }),
      await otherAdmin.delete('/sections/hero'),
    ])
      expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
    const created = await otherAdmin.post('/sections', { slug: 'hero', title: 'Other', content: [] });
    expect(created.status).toBe(201);
    expect((await (await site.as('admin')).get('/sections/hero')).data.title).toBe('Hero');
    await other.close();
  });
  it('return 400 INVALID_CURSOR for a cursor of the other site', async () => {
    const admin = await site.as('admin');
    await admin.post('/sections', { slug: 'second', title: 'Second', content: [] });
    const { nextCursor } = (await admin.get('/sections?limit=1')).data;
    const other = await openSite();
    expect(statusAndCode(await (await other.as('admin')).get(`/sections?cursor=${nextCursor}`))).toEqual([
      400,
      'INVALID_CURSOR',
    ]);
    await other.close();
  });
});
