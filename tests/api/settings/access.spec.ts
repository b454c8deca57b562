import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { describeDoors, openSite, type Client, type Door, type Site } from '@quire/testing';

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
  const doors: Door[] = [
    {
      permission: 'settings:read',
      lowest: 'editor',
      scopes: ['settings:read'],
      answers: 200,
      operations: { getSettings: (client) => client.get('/settings') },
    },
    {
      permission: 'settings:manage',
      lowest: 'admin',
      scopes: ['settings:manage'],
      answers: 200,
      operations: {
        updateSettings: (client) => client.put('/settings', { title: 'x' }),
        updateSettingsByPost: (client) => client.post('/settings', { title: 'x' }),
      },
    },
  ];
  describeDoors(() => site, doors);

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
