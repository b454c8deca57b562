import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  describePermissions,
  eventually,
  openApplication,
  openSite,
  statusAndCode,
  useSite,
  type Client,
  type PermissionCase,
} from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
});

const path = '/admin/oauth-clients';
const input = { id: 'editor-app', name: ' Editor app ', redirectUris: ['https://app.example/cb'] };
const shape = {
  id: 'editor-app',
  name: 'Editor app',
  redirectUris: ['https://app.example/cb'],
  scopes: null,
  registeredItself: false,
  approvedAt: null,
  createdAt: expect.any(String),
  updatedAt: expect.any(String),
};

describe('/admin/oauth-clients (contract 33)', () => {
  it('creates, reads, lists, updates and deletes an application', async () => {
    const created = await admin.post(path, input);
    expect([created.status, created.data]).toEqual([201, shape]);
    expect((await admin.get(`${path}/editor-app`)).data).toEqual(shape);
    expect((await admin.get(path)).data).toEqual({ items: [shape] });
    const changed = await admin.put(`${path}/editor-app`, { scopes: ['content:read', 'mcp:tools:shop'] });
    expect(changed.data).toEqual({ ...shape, scopes: ['content:read', 'mcp:tools:shop'] });
    const renamed = await admin.put(`${path}/editor-app`, { name: 'New', redirectUris: ['http://[::1]/cb'] });
    expect(renamed.data).toMatchObject({
      name: 'New',
      redirectUris: ['http://[::1]/cb'],
      scopes: ['content:read', 'mcp:tools:shop'],
    });
    expect((await admin.put(`${path}/editor-app`, { scopes: null })).data.scopes).toBeNull();
    expect((await admin.delete(`${path}/editor-app`)).data).toEqual({ deleted: true });
    expect((await admin.get(path)).data).toEqual({ items: [] });
  });

  it('returns 409 CONFLICT for a taken id, also for concurrent requests', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => admin.post(path, { ...input, id: 'taken' })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(statusAndCode(await admin.post(path, { ...input, id: 'taken' }))).toEqual([409, 'CONFLICT']);
  });

  it('returns 404 NOT_FOUND for unknown applications', async () => {
    for (const response of [
      await admin.get(`${path}/nothing`),
      await admin.put(`${path}/nothing`, { name: 'x' }),
      await admin.delete(`${path}/nothing`),
    ])
      expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
  });

  it.each([
    ['no id', { id: '' }],
    ['an id that is too long', { id: 'x'.repeat(256) }],
    ['an id with a line break', { id: 'a\nb' }],
    ['a blank name', { name: ' ' }],
    ['a name that is too long', { name: 'x'.repeat(256) }],
    ['a name that cannot be stored', { name: 'a\u0000' }],
    ['no address', { redirectUris: [] }],
    ['an http address of another host', { redirectUris: ['http://app.example/cb'] }],
    ['an address with a fragment', { redirectUris: ['https://app.example/cb#x'] }],
    ['an address of another scheme', { redirectUris: ['https://app.example/cb', 'app://cb'] }],
    ['an unknown scope', { scopes: ['everything'] }],
  ])('returns 400 VALIDATION_ERROR for %s', async (_, change) => {
    expect(statusAndCode(await admin.post(path, { ...input, id: 'refused', ...change }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  it('returns 404 NOT_FOUND for applications of another site', async () => {
    await admin.post(path, { ...input, id: 'mine' });
    const other = await openSite();
    const otherAdmin = await other.as('admin');
    expect(statusAndCode(await otherAdmin.get(`${path}/mine`))).toEqual([404, 'NOT_FOUND']);
    expect((await otherAdmin.get(path)).data).toEqual({ items: [] });
    await other.close();
  });

  it('deletes codes and tokens together with their application', async () => {
    const browser = await site.signedIn('editor');
    const application = await openApplication(site);
    const { access_token, refresh_token } = await application.tokens(browser);
    const code = await application.code(browser);
    const client = site.withToken(access_token);
    expect((await client.get('/auth/me')).status).toBe(200);
    await admin.delete(`${path}/${application.id}`);
    const rejected = await eventually(
      () => client.get('/auth/me'),
      ({ status }) => status !== 200,
    );
    expect(statusAndCode(rejected)).toEqual([401, 'INVALID_TOKEN']);
    expect((await application.refresh(refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await application.exchange(code)).body).toMatchObject({ error: 'invalid_grant' });
  });
});

const permissionCases: PermissionCase[] = [
  {
    permission: 'auth:manage_connections',
    minRole: 'admin',
    scopes: ['admin'],
    operations: {
      listOAuthClients: (client) => client.get(path),
      createOAuthClient: (client) => client.post(path, { ...input, id: 'made' }),
      getOAuthClient: (client) => client.get(`${path}/nothing`),
      updateOAuthClient: (client) => client.put(`${path}/nothing`, { name: 'x' }),
      deleteOAuthClient: (client) => client.delete(`${path}/nothing`),
    },
  },
];
describePermissions(() => site, permissionCases);
