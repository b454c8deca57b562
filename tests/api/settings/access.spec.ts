import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { describePermissions, openSite, type Client, type PermissionCase, type Site } from '@quire/testing';

let site: Site;
let admin: Client;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
});
afterEach(async () => {
  await site.sql('DELETE FROM settings');
});
afterAll(() => site.close());

const read = async () => (await admin.get('/settings')).data;
const put = (body: unknown) => admin.put('/settings', body);

describe('who may see and change the settings (contract 5)', () => {
  const permissionCases: PermissionCase[] = [
    {
      permission: 'settings:read',
      minRole: 'editor',
      scopes: ['settings:read'],
      expectedStatus: 200,
      operations: { getSettings: (client) => client.get('/settings') },
    },
    {
      permission: 'settings:manage',
      minRole: 'admin',
      scopes: ['settings:manage'],
      expectedStatus: 200,
      operations: {
        updateSettings: (client) => client.put('/settings', { title: 'x' }),
        updateSettingsByPost: (client) => client.post('/settings', { title: 'x' }),
      },
    },
  ];
  describePermissions(() => site, permissionCases);

  it('not the neighbour: each site has its own', async () => {
    const neighbour = await openSite();
    await put({ title: 'Ours' });
    const theirs = await neighbour.as('admin');
    expect((await theirs.get('/settings')).data).toEqual({});
    await theirs.put('/settings', { title: 'Theirs' });
    expect(await read()).toEqual({ title: 'Ours' });
    await neighbour.close();
  });
});
