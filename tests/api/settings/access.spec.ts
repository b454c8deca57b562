import { describe, expect, it } from '@jest/globals';
import { describePermissions, openSite, type PermissionCase } from '@quire/testing';
import { useSettings } from './support.js';

const settings = useSettings();

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
  describePermissions(() => settings.site, permissionCases);

  it('are separate per site', async () => {
    const other = await openSite();
    await settings.update({ title: 'Ours' });
    const otherAdmin = await other.as('admin');
    expect((await otherAdmin.get('/settings')).data).toEqual({});
    await otherAdmin.put('/settings', { title: 'Other' });
    expect(await settings.get()).toEqual({ title: 'Ours' });
    await other.close();
  });
});
