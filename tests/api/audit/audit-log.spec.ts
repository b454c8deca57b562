import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  describePermissions,
  openApplication,
  openSite,
  statusAndCode,
  useSite,
  walkPages,
  type Client,
  type PermissionCase,
} from '@quire/testing';
import { auditLog, listEvents, type AuditEvent } from './support.js';

const site = useSite();
let admin: Client;
let ownId: string;

beforeAll(async () => {
  admin = await site.signedIn('admin');
  ownId = (await admin.get('/auth/me')).data.id;
});

const from = { headers: { 'x-real-ip': '203.0.113.7' } };
const events = (query = '', client = admin) => listEvents(client, query);
const last = async (action: string) => (await events(`?action=${action}&limit=1`))[0];
async function signInEditor(name: string): Promise<{ client: Client; id: string; path: string }> {
  const client = await site.signedIn('editor', name);
  const { id } = (await client.get('/auth/me')).data;
  return { client, id, path: `/admin/users/${id}` };
}

describe('audit log of authentication and administration', () => {
  it('records actor, action, target, time, client address and request id', async () => {
    const { id, path: user } = await signInEditor('watched');
    const response = await admin.put(user, { role: 30 }, from);
    expect(await last('user.role-changed')).toEqual({
      id: expect.any(String),
      action: 'user.role-changed',
      createdAt: expect.stringMatching(/Z$/),
      actor: { kind: 'session', id: ownId, name: `admin@${site.tenant}.example` },
      target: { type: 'user', id },
      userId: id,
      clientAddress: '203.0.113.7',
      requestId: response.headers.get('x-request-id'),
      details: { from: 40, to: 30 },
    });
  });

  it('records the names of the changed fields of a user', async () => {
    const { id, path: user } = await signInEditor('renamed');
    await admin.put(user, { name: 'Ann', email: 'moved@site.example', role: 40 });
    expect(await last('user.updated')).toMatchObject({
      target: { id },
      details: { fields: ['name', 'email'] },
    });
    await admin.post(`${user}/disable`);
    expect(await last('user.disabled')).toMatchObject({ target: { type: 'user', id }, details: {} });
    await admin.post(`${user}/enable`);
    expect(await last('user.enabled')).toMatchObject({ target: { type: 'user', id } });
  });

  it('records created and revoked tokens', async () => {
    const created = (await admin.post('/admin/api-tokens', { name: 'Deploy', scopes: ['content:read'] }))
      .data;
    expect(await last('token.created')).toMatchObject({
      actor: { kind: 'session', id: ownId },
      target: { type: 'token', id: created.info.id },
      userId: ownId,
      details: { scopes: ['content:read'], expiresAt: null },
    });
    await admin.delete(`/admin/api-tokens/${created.info.id}`);
    expect(await last('token.revoked')).toMatchObject({ target: { id: created.info.id }, userId: ownId });
  });

  it('records tokens created from the command line', async () => {
    const client = await site.another('author', 'robot');
    const { id } = (await client.get('/auth/me')).data;
    expect((await events(`?action=token.created&user=${id}`))[0]?.actor).toEqual({
      kind: 'system',
      id: 'system:command-line',
      name: null,
    });
  });

  it('records sessions that their own user closes or ends', async () => {
    const { client, id } = await signInEditor('leaving');
    const other = await site.signedIn('editor', 'leaving');
    const { items } = (await client.get('/auth/sessions')).data as {
      items: { id: string; isCurrent: boolean }[];
    };
    const otherId = items.find(({ isCurrent }) => !isCurrent)?.id;
    await client.delete(`/auth/sessions/${otherId}`);
    expect(await last('session.ended')).toMatchObject({
      actor: { id },
      target: { type: 'session', id: otherId },
    });
    await client.post('/auth/logout');
    expect(await last('session.closed')).toMatchObject({ actor: { kind: 'session', id }, userId: id });
    expect(other.session).toBeDefined();
  });

  it('records created, updated and deleted allowed domains', async () => {
    const domains = '/admin/allowed-domains';
    const target = { type: 'allowed-domain', id: 'site.example' };
    await admin.post(domains, { domain: 'site.example', defaultRole: 20 });
    expect(await last('allowed-domain.created')).toMatchObject({ target, details: { defaultRole: 20 } });
    await admin.patch(`${domains}/site.example`, { enabled: false });
    const details = { defaultRole: 20, enabled: false };
    expect(await last('allowed-domain.updated')).toMatchObject({ target, details });
    await admin.delete(`${domains}/site.example`);
    expect(await last('allowed-domain.deleted')).toMatchObject({ target });
  });

  it('records granted and revoked consents', async () => {
    const { client, id } = await signInEditor('granting');
    const application = await openApplication(site);
    const code = await application.code(client, 'content:read');
    expect(await last('oauth-client.created')).toMatchObject({
      actor: { id },
      target: { type: 'oauth-client', id: application.id },
      details: { scopes: null, registeredItself: true },
    });
    const { body } = await application.exchange(code);
    const created = await last('grant.made');
    expect(created).toMatchObject({
      actor: { id },
      target: { type: 'grant', id: expect.any(String) },
      userId: id,
      details: { clientId: application.id, scopes: ['content:read'], by: 'code' },
    });
    const { refresh_token: token } = body as { refresh_token: string };
    await site.anonymous().post('/oauth/token/revoke', { token });
    const revoked = { target: created?.target, userId: id };
    expect(await last('grant.ended')).toMatchObject({ ...revoked, details: { reason: 'revoked' } });
  });

  it('records the reuse of a code, and grants to devices', async () => {
    const { client, id } = await signInEditor('copied');
    const application = await openApplication(site);
    const code = await application.code(client, 'content:read');
    await application.exchange(code);
    await application.exchange(code);
    expect(await last('grant.ended')).toMatchObject({ userId: id, details: { reason: 'code-reused' } });

    const device = (await site.anonymous().post('/oauth/device/code', { scope: 'content:read' })).data;
    await client.post('/oauth/device/authorize', { user_code: device.user_code });
    await site.anonymous().post('/oauth/device/token', {
      device_code: device.device_code,
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    });
    const details = { clientId: null, scopes: ['content:read'], by: 'device' };
    expect(await last('grant.made')).toMatchObject({ actor: { id }, userId: id, details });
  });

  it('records applications created, updated and deleted by administrators', async () => {
    const clients = '/admin/oauth-clients';
    const body = {
      id: 'app',
      name: 'App',
      redirectUris: ['https://app.example/back'],
      scopes: ['media:read'],
    };
    const by = { actor: { id: ownId }, target: { type: 'oauth-client', id: 'app' } };
    await admin.post(clients, body);
    const created = { scopes: ['media:read'], registeredItself: false };
    expect(await last('oauth-client.created')).toMatchObject({ ...by, details: created });
    await admin.put(`${clients}/app`, { redirectUris: ['https://private.example/back'] });
    expect(await last('oauth-client.updated')).toMatchObject({
      ...by,
      details: { fields: ['redirectUris'] },
    });
    await admin.delete(`${clients}/app`);
    expect(await last('oauth-client.deleted')).toMatchObject(by);
    const log = JSON.stringify(await site.sql('SELECT * FROM audit_log'));
    expect(log).not.toContain('private.example');
  });

  it('records nothing for rejected or empty changes', async () => {
    const { path: user } = await signInEditor('untouched');
    const before = await site.sql('SELECT id FROM audit_log');
    await admin.put(user, { name: '', role: 40 });
    await admin.put(user, { email: `admin@${site.tenant}.example`, role: 10 });
    await admin.put(`/admin/users/${ownId}`, { role: 10 });
    await admin.post(`/admin/users/${ownId}/disable`);
    await admin.post(`${user}/enable`);
    await admin.delete('/admin/allowed-domains/other.example');
    await admin.delete('/admin/api-tokens/nothing');
    await admin.delete('/auth/sessions/nothing');
    await site.anonymous().post('/auth/logout');
    expect(await site.sql('SELECT id FROM audit_log')).toEqual(before);
  });

  it('contains no secret and no e-mail address', async () => {
    const { client, path: user } = await signInEditor('secretive');
    await admin.put(user, { email: 'private@site.example' });
    const created = (await admin.post('/admin/api-tokens', { name: 'Secret', scopes: ['admin'] })).data;
    await client.post('/auth/logout');
    const log = JSON.stringify(await site.sql('SELECT * FROM audit_log'));
    for (const secret of [
      created.token,
      created.info.prefix,
      client.session,
      admin.session,
      'private@',
      '@site',
    ])
      expect(log).not.toContain(String(secret));
  });

  it('retains the events of deleted users', async () => {
    const { id, path: user } = await signInEditor('deleted');
    await admin.put(user, { name: 'Renamed' });
    await site.sql('DELETE FROM users WHERE id = $1', [id]);
    expect(await events(`?user=${id}`)).toMatchObject([{ action: 'user.updated', userId: id }]);
  });
});

describe('GET /admin/audit-log', () => {
  it('returns pages in order, newest first, also across events of the same time', async () => {
    const { id } = await signInEditor('busy');
    await site.sql(
      `INSERT INTO audit_log (id, action, actor_kind, actor_id, details, created_at)
       SELECT 'event' || n, 'user.enabled', 'session', $1, '{}', '2026-01-01T00:00:00Z'
       FROM generate_series(1, 7) n`,
      [id],
    );
    const page = await walkPages<AuditEvent>(admin, `${auditLog}?user=${id}&limit=3`);
    expect(page.map(({ id: eventId }) => eventId)).toEqual(
      [7, 6, 5, 4, 3, 2, 1].map((number) => `event${number}`),
    );
    const all = await walkPages<AuditEvent>(admin, `${auditLog}?limit=5`);
    const times = all.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
    await site.sql("DELETE FROM audit_log WHERE id LIKE 'event%'");
  });

  it('filters by action, by actor or subject, and by date', async () => {
    const { client, id, path: user } = await signInEditor('found');
    await admin.put(user, { name: 'Found' });
    await client.post('/auth/logout');
    await admin.put(user, { role: 30 });
    const actions = async (query: string) => (await events(query)).map(({ action }) => action);
    expect(await actions(`?user=${id}`)).toEqual(['user.role-changed', 'session.closed', 'user.updated']);
    expect(await actions(`?user=${id}&action=user.updated`)).toEqual(['user.updated']);
    await site.sql(
      "UPDATE audit_log SET created_at = '2026-02-01T12:00:00Z' WHERE user_id = $1 AND action = 'user.updated'",
      [id],
    );
    expect(await actions(`?user=${id}&to=2026-02-01T13:00:00%2B01:00`)).toEqual(['user.updated']);
    expect(await actions(`?user=${id}&to=2026-02-01T11:59:59Z`)).toEqual([]);
    expect(await actions(`?user=${id}&from=2026-02-01T12:00:00.001Z`)).not.toContain('user.updated');
    expect(await actions('?action=nothing')).toEqual([]);
  });

  it.each(['limit=0', 'from=yesterday', 'to=2026-01-01T00:00:00', 'user=%00', `action=${'x'.repeat(65)}`])(
    'returns 400 for %s',
    async (query) => {
      expect(statusAndCode(await admin.get(`${auditLog}?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  it('returns 400 INVALID_CURSOR for a cursor of other filters', async () => {
    const { nextCursor } = (await admin.get(`${auditLog}?limit=1`)).data;
    expect(nextCursor).toEqual(expect.any(String));
    expect(statusAndCode(await admin.get(`${auditLog}?action=user.updated&cursor=${nextCursor}`))).toEqual([
      400,
      'INVALID_CURSOR',
    ]);
  });

  const permissionCases: PermissionCase[] = [
    {
      permission: 'users:manage',
      minRole: 'admin',
      scopes: ['admin'],
      expectedStatus: 200,
      operations: { listAuditLog: (client) => client.get(auditLog) },
    },
  ];
  describePermissions(() => site, permissionCases);

  it('returns only events of its own site', async () => {
    const neighbour = await openSite();
    const theirs = await neighbour.signedIn('admin');
    expect(await events('', theirs)).toEqual([]);
    await neighbour.close();
  });
});
