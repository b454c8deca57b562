import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { describePermissions, openSite, useSite, type Client, type PermissionCase } from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
});
afterEach(async () => {
  await site.sql('DELETE FROM settings');
});

const read = async () => (await admin.get('/settings')).data;
const put = (body: unknown) => admin.put('/settings', body);

describe('permissions of settings (contract 5)', () => {
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

  it('are separate per site', async () => {
    const other = await openSite();
    await put({ title: 'Ours' });
    const otherAdmin = await other.as('admin');
    expect((await otherAdmin.get('/settings')).data).toEqual({});
    await otherAdmin.put('/settings', { title: 'Other' });
    expect(await read()).toEqual({ title: 'Ours' });
    await other.close();
  });
});
