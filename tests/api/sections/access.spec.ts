import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describePermissions, openSite, statusAndCode, type PermissionCase, type Site } from '@quire/testing';

let site: Site;
beforeAll(async () => {
  site = await openSite();
  const admin = await site.as('admin');
  await admin.post('/sections', { slug: 'hero', title: 'Hero', content: [] });
});
afterAll(() => site.close());

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
      expect(statusAndCode(answer)).toEqual([404, 'NOT_FOUND']);
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
    expect(statusAndCode(await (await other.as('admin')).get(`/sections?cursor=${nextCursor}`))).toEqual([
      400,
      'INVALID_CURSOR',
    ]);
    await other.close();
  });
});
