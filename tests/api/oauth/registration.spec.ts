import { describe, expect, it } from '@jest/globals';
import { openApplication, statusAndCode, useSite } from '@quire/testing';
import { deviceGrant } from './support.js';

const site = useSite();

const uris = ['https://app.example/cb', 'http://127.0.0.1/cb'];
const register = (body: unknown) => site.anonymous().post('/oauth/register', body);

describe('POST /oauth/register (contract 32)', () => {
  it('returns an id and the registered metadata', async () => {
    const { status, body, headers } = await register({ redirect_uris: uris, logo_uri: 'https://x.example' });
    expect([status, body]).toEqual([
      201,
      {
        client_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        client_id_issued_at: expect.any(Number),
        redirect_uris: uris,
        client_name: expect.stringMatching(/^dynamic-[0-9a-f]{8}$/),
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    ]);
    expect([
      headers.get('cache-control'),
      headers.get('pragma'),
      headers.get('access-control-allow-origin'),
    ]).toEqual(['no-store', 'no-cache', '*']);
  });

  it('ignores the other members that MCP clients send', async () => {
    const { status, body } = await register({
      redirect_uris: uris,
      application_type: 'native',
      client_uri: 'https://app.example',
      software_id: 'a-program',
      software_version: '1.2.3',
      contacts: ['someone@app.example'],
    });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('software_id');
  });

  it.each(['content:read  content:write', ['content:read', 'content:write', 'content:read']])(
    'accepts the scope %j',
    async (scope) => {
      const { body } = await register({ redirect_uris: uris, client_name: 'Näme', scope });
      expect(body).toMatchObject({ client_name: 'Näme', scope: 'content:read content:write' });
      const admin = await site.as('admin');
      const { data } = await admin.get(`/admin/oauth-clients/${(body as { client_id: string }).client_id}`);
      expect(data.scopes).toEqual(['content:read', 'content:write']);
    },
  );

  it.each([
    ['no address', {}],
    ['an empty list', { redirect_uris: [] }],
    ['a secret', { redirect_uris: uris, token_endpoint_auth_method: 'client_secret_basic' }],
    ['an unknown grant', { redirect_uris: uris, grant_types: ['password'] }],
    ['another response type than code', { redirect_uris: uris, response_types: ['token'] }],
    ['an unknown scope', { redirect_uris: uris, scope: 'content:read everything' }],
    ['a name that is not a string', { redirect_uris: uris, client_name: 7 }],
    ['a list instead of an object', []],
  ])('returns 400 invalid_client_metadata for %s', async (_, body) => {
    const response = await register(body);
    expect([response.status, response.body]).toEqual([
      400,
      { error: 'invalid_client_metadata', error_description: expect.any(String) },
    ]);
  });

  it('returns 400 invalid_client_metadata for a body that is not JSON', async () => {
    const response = await site.anonymous().post('/oauth/register', undefined, {
      headers: { 'content-type': 'application/json' },
      rawBody: '{',
    });
    expect([response.status, response.body]).toMatchObject([400, { error: 'invalid_client_metadata' }]);
  });

  it.each(['http://app.example/cb', 'app://cb', 'https://app.example/#x', 'https://u:p@app.example/', 'x'])(
    'returns 400 invalid_redirect_uri for %s',
    async (uri) => {
      const response = await register({ redirect_uris: ['https://app.example/cb', uri] });
      expect([response.status, response.body]).toMatchObject([400, { error: 'invalid_redirect_uri' }]);
    },
  );

  it('accepts requests from any origin', async () => {
    const preflight = await site.anonymous().options('/oauth/register');
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'POST, OPTIONS',
    ]);
    const headers = { origin: 'https://elsewhere.example' };
    expect(
      (await site.anonymous().post('/oauth/register', { redirect_uris: uris }, { headers })).status,
    ).toBe(201);
  });

  it('returns 429 after 10 requests a minute per client or IPv6 network', async () => {
    const from = (address: string) =>
      site
        .anonymous()
        .post('/oauth/register', { redirect_uris: uris }, { headers: { 'x-real-ip': address } });
    for (let count = 0; count < 10; count += 1) expect((await from(`2001:db8::${count}`)).status).toBe(201);
    const rejected = await from('2001:db8:0:0:ffff::1');
    expect([...statusAndCode(rejected), rejected.headers.get('retry-after')]).toEqual([
      429,
      'RATE_LIMITED',
      '60',
    ]);
    expect((await from('2001:db8:0:1::1')).status).toBe(201);
  });
});

describe('self-registered applications without consent', () => {
  const registered = async () => {
    const { body } = await register({ redirect_uris: uris });
    return (body as { client_id: string }).client_id;
  };
  const age = (id: string, hours: number) =>
    site.sql("UPDATE oauth_clients SET created_at = now() - $2 * interval '1 hour' WHERE id = $1", [
      id,
      hours,
    ]);
  const exists = async (id: string) =>
    (await site.sql('SELECT 1 FROM oauth_clients WHERE id = $1', [id])).length === 1;

  it('are deleted after a day, when others register', async () => {
    const [old, young] = [await registered(), await registered()];
    await age(old, 24.1);
    await age(young, 23.9);
    await registered();
    expect([await exists(old), await exists(young)]).toEqual([false, true]);
  });

  it('are kept with a consent, a pending device or an approval', async () => {
    const [granted, pending, approved] = [await registered(), await registered(), await registered()];
    const device = await openApplication(site, { grant_types: [deviceGrant] });
    const admin = await site.as('admin');
    await admin.post('/admin/oauth-clients', { id: 'by-hand', name: 'By hand', redirectUris: uris });
    const session = await site.signedIn('admin');
    await session.post(`/admin/oauth-clients/${approved}/approve`);
    await site.sql('UPDATE oauth_clients SET consented_at = now() WHERE id = $1', [granted]);
    await site.anonymous().post('/oauth/device/code', { client_id: device.id });
    const retained = [granted, device.id, approved, 'by-hand'];
    for (const client of [...retained, pending]) await age(client, 9_000);
    await registered();
    await registered();
    for (const client of retained) expect(await exists(client)).toBe(true);
    expect(await exists(pending)).toBe(false);
  });
});
