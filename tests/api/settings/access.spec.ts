import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, outcome, type Client, type Site } from '@quire/testing';

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
  it.each([
    ['subscriber', 403, 403],
    ['contributor', 403, 403],
    ['author', 403, 403],
    ['editor', 200, 403],
    ['admin', 200, 200],
  ] as const)('%s: read %i, change %i', async (role, reading, changing) => {
    const client = await site.as(role);
    expect([
      (await client.get('/settings')).status,
      (await client.put('/settings', { title: 'x' })).status,
      (await client.post('/settings', { title: 'x' })).status,
    ]).toEqual([reading, changing, changing]);
  });

  it('nobody without a credential', async () => {
    const anybody = site.anonymous();
    expect(outcome(await anybody.get('/settings'))).toEqual([401, 'NOT_AUTHENTICATED']);
    expect(outcome(await anybody.put('/settings', { title: 'x' }))).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it.each([
    ['settings:read', 200, 403],
    ['settings:manage', 403, 200],
    ['content:write', 403, 403],
    ['schema:write', 403, 403],
  ])('a token with the scope %s: read %i, change %i', async (scope, reading, changing) => {
    const client = await site.withScopes('admin', [scope]);
    const [get, change] = [await client.get('/settings'), await client.put('/settings', { title: 'x' })];
    expect([get.status, change.status]).toEqual([reading, changing]);
    for (const { status, error } of [get, change])
      if (status === 403) expect(error.code).toBe('INSUFFICIENT_SCOPE');
  });

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
