import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusAndCode, useSite, type Client } from '@quire/testing';
import { deriveInternalKeys, InternalTokenSigner } from '@quire/context';
import { createSigner } from 'fast-jwt';
import { request } from 'undici';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection();
});

/** Sends a request without the headers of the test client. */
async function raw(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const { method = 'GET', headers = {}, body } = options;
  const response = await request(site.system.origin + path, {
    method: method as 'GET',
    headers: { host: site.host, ...headers },
    body: body ?? null,
  });
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
}
const codeOf = (text: string) => (JSON.parse(text) as { error?: { code: string } }).error?.code;
const withToken = (more: Record<string, string> = {}) => ({
  authorization: `Bearer ${admin.token}`,
  ...more,
});

describe('gateway routing', () => {
  it('returns 404 for an unknown host with any path and credential', async () => {
    const response = await raw('/_cms/api/content/posts', { headers: withToken({ host: 'nobody.example' }) });
    expect([response.status, codeOf(response.text)]).toEqual([404, 'NOT_FOUND']);
  });

  it.each([
    '/',
    '/_cms/api',
    '/_cms/api/nothing',
    '/_cms/api/contents',
    '/content/posts',
    '//',
    '/_cms/api/%',
  ])('returns 404 for the path %s', async (path) => {
    const response = await raw(path, { headers: withToken() });
    expect([response.status, codeOf(response.text)]).toEqual([404, 'NOT_FOUND']);
  });

  it('returns 405 with Allow for a known path and the wrong method (contract 1)', async () => {
    const response = await admin.patch('/content/posts', {});
    expect([...statusAndCode(response), response.headers.get('allow')]).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      'GET, POST',
    ]);
  });
});

describe('response headers', () => {
  it('forbid caching and sniffing and contain the request id', async () => {
    const responses = [
      await raw('/_cms/api/content/posts', { headers: withToken() }),
      await raw('/_cms/api/content/posts'),
      await raw('/_cms/api/nothing'),
      await raw('/_cms/api/content/posts/%zz', { headers: withToken() }),
      await raw('/_cms/api/menus/%ff', { headers: withToken() }),
    ];
    for (const { headers } of responses) {
      expect(headers).toMatchObject({
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        'content-type': 'application/json; charset=utf-8',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
    }
    expect(new Set(responses.map(({ headers }) => headers['x-request-id'])).size).toBe(responses.length);
  });

  it('do not contain a request id of the client', async () => {
    const { headers } = await raw('/_cms/api/nothing', { headers: { 'x-request-id': 'forged' } });
    expect(headers['x-request-id']).not.toBe('forged');
  });
});

describe('internal API', () => {
  it.each([
    '/_cms/api/internal/auth/credentials/bearer',
    '/_cms/api/internal/content/openapi.json',
    '/_cms/api/content/../internal/auth/credentials/bearer',
    '/_cms/api//internal/auth/credentials/bearer',
  ])('returns 404 from outside: %s', async (path) => {
    const response = await raw(path, {
      method: 'POST',
      headers: withToken({ 'content-type': 'application/json' }),
      body: JSON.stringify({ tokenHash: 'a'.repeat(64) }),
    });
    expect([response.status, codeOf(response.text)]).toEqual([404, 'NOT_FOUND']);
  });

  it('rejects forged internal tokens with 401 NOT_AUTHENTICATED', async () => {
    const path = '/_cms/api/content/posts';
    const principal = {
      kind: 'session',
      tenant: { id: site.tenant, database: null },
      userId: 'u',
      role: 50,
    } as const;
    const claims = { principal, method: 'GET', path, aud: 'content', iss: 'gateway' };
    const guessed = new InternalTokenSigner(deriveInternalKeys(['guessed'], ['gateway']));
    const forged = [
      createSigner({ algorithm: 'none', kid: 'gateway', expiresIn: 60_000 })(claims),
      createSigner({ algorithm: 'HS256', key: 'guessed', kid: 'gateway', expiresIn: 60_000 })(claims),
      guessed.sign('gateway', principal, { service: 'content', method: 'GET', path }),
      JSON.stringify(principal),
    ];
    for (const token of forged) {
      const response = await raw(path, { headers: { 'x-cms-internal': token } });
      expect([response.status, codeOf(response.text)]).toEqual([401, 'NOT_AUTHENTICATED']);
    }
  });
});

describe('writes with a session cookie (document 1, Credentials)', () => {
  const body = '{"data":{"title":"x"}}';
  const post = (headers: Record<string, string>) =>
    raw('/_cms/api/content/posts', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });

  it('are rejected without X-CMS-Request before the credential is checked', async () => {
    const response = await post({ cookie: 'cms_session=unknown' });
    expect([response.status, codeOf(response.text)]).toEqual([403, 'CSRF_REJECTED']);
  });

  it('with X-CMS-Request are checked by their credential', async () => {
    const response = await post({ cookie: 'cms_session=unknown', 'x-cms-request': '1' });
    expect([response.status, codeOf(response.text)]).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('from another origin are rejected without a credential too', async () => {
    const foreign = await post({ origin: 'https://evil.example' });
    expect([foreign.status, codeOf(foreign.text)]).toEqual([403, 'CSRF_REJECTED']);
    const own = await post({ origin: `http://${site.host}` });
    expect([own.status, codeOf(own.text)]).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('with a Bearer token need no header', async () => {
    const response = await post(withToken({ cookie: 'cms_session=x', origin: 'https://evil.example' }));
    expect(response.status).toBe(201);
  });
});

describe('health and metrics of the process (decision 49)', () => {
  it.each(['/healthz', '/readyz', '/metrics'])('%s is served on the operations port', async (path) => {
    const response = await request(site.system.opsOrigin + path);
    expect([response.statusCode, await response.body.text()]).toEqual([200, expect.any(String)]);
  });

  it.each(['/readyz', '/metrics'])('%s is no path of a site', async (path) => {
    const response = await site.anonymous().get(`..${path}`);
    expect([response.status, response.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('no path of a site is served on the operations port', async () => {
    const { opsOrigin } = site.system;
    const response = await request(`${opsOrigin}/_cms/api/manifest`, { headers: { host: site.host } });
    expect(response.statusCode).toBe(404);
    await response.body.dump();
  });

  it('/healthz is served on the public port too, and tells nothing', async () => {
    const response = await request(`${site.system.origin}/healthz`);
    expect([response.statusCode, await response.body.json()]).toEqual([200, { status: 'alive' }]);
  });

  it('count requests by service, method and status', async () => {
    await admin.get('/content/posts');
    const text = await (await request(`${site.system.opsOrigin}/metrics`)).body.text();
    expect(text).toMatch(
      /quire_http_request_duration_seconds_count\{service="content",method="GET",status="200"\} [1-9]/,
    );
  });
});
