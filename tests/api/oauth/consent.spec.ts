import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  eventually,
  openApplication,
  openSite,
  useSite,
  type ApiResponse,
  type Application,
  type Client,
} from '@quire/testing';

const site = useSite();
let browser: Client;
let application: Application;

beforeAll(async () => {
  browser = await site.signedIn('editor');
  application = await openApplication(site);
});

/** Status, address and parameters of a redirect. */
function redirectOf({ status, headers }: ApiResponse): [number, string, Record<string, string>] {
  const location = new URL(headers.get('location') ?? '', 'https://here.example');
  return [status, location.origin + location.pathname, Object.fromEntries(location.searchParams)];
}
const callback = 'https://app.example/callback';
const issuer = (host = site.host) => `http://${host}/_cms`;

describe('GET /_cms/oauth/authorize (contract 32)', () => {
  it('shows the application, the user and a checked box for each scope, without a script', async () => {
    const { response, page, boxes } = await application.requestConsent(browser, {
      scope: 'content:read media:read content:read nonsense',
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(boxes).toEqual(['content:read', 'media:read']);
    expect(page).toContain('Allow App to use your account?');
    expect(page).toContain(`<strong>editor@${site.tenant}.example</strong>`);
    expect(page).toContain(`<code>${callback}</code>`);
    expect(page).not.toContain('<script');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(page).not.toContain('style=');
    expect(policy).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' https:; frame-ancestors 'none'; base-uri 'none'",
    );
    expect([response.headers.get('x-frame-options'), response.headers.get('cache-control')]).toEqual([
      'DENY',
      'no-store',
    ]);
    expect(response.headers.get('set-cookie')).toMatch(
      /^cms_oauth_csrf=[\w-]{43}; Path=\/_cms\/oauth\/authorize; HttpOnly; SameSite=Strict$/,
    );
  });

  it('escapes the name of the application', async () => {
    const sly = await openApplication(site, { client_name: `<img src=x onerror="a">'&` });
    const { page } = await sly.requestConsent(browser, { state: '"><script>' });
    expect(page).toContain('&lt;img src=x onerror=&quot;a&quot;&gt;&#39;&amp;');
    expect(page).not.toMatch(/<img|<script/);
  });

  it('redirects anonymous users to the login and back', async () => {
    const address = application.address({ state: 'a b&c' });
    const login = `/_cms/admin/login?redirect=${encodeURIComponent(address)}`;
    const token = await site.as('admin');
    for (const client of [site.anonymous(), token]) {
      const response = await client.get(address);
      expect([response.status, response.headers.get('location')]).toEqual([302, login]);
    }
  });

  it.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: undefined }],
    ['no address', { redirect_uri: undefined }],
    ['an address that is not registered', { redirect_uri: 'https://evil.example/callback' }],
    ['an address below a registered one', { redirect_uri: `${callback}/more` }],
    ['an address that differs in case', { redirect_uri: 'https://app.example/Callback' }],
    ['an address with a query that is not registered', { redirect_uri: `${callback}?x=1` }],
    ['an address with a fragment', { redirect_uri: `${callback}#x` }],
    ['no known scope', { scope: 'everything' }],
    ['no scope at all', { scope: undefined }],
    ['a state that is too long', { state: 'x'.repeat(5000) }],
    ['text that cannot be stored', { client_id: 'a\u0000' }],
  ])('shows an error page and never redirects for %s', async (_, changes) => {
    for (const client of [browser, site.anonymous()]) {
      const response = await client.get(application.address(changes));
      expect([response.status, response.headers.get('location')]).toEqual([400, null]);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
  });

  it.each([
    ['invalid_request', { code_challenge: undefined }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_request', { response_type: undefined }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_target', { resource: 'https://other.example/mcp' }],
  ])('redirects with %s to an application with consent, for %j', async (error, changes) => {
    await application.code(browser);
    const response = await browser.get(application.address(changes));
    expect(redirectOf(response)).toEqual([
      302,
      callback,
      { error, error_description: expect.any(String), state: 's-1', iss: issuer() },
    ]);
  });

  it('shows invalid_target for another resource to the user of an application without consent', async () => {
    const app = await openApplication(site);
    const response = await browser.get(app.address({ resource: `${issuer()}/api/mcp/other` }));
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    expect(response.text).toContain('invalid_target');
  });

  it('treats a challenge without a method as S256', async () => {
    expect(
      (await application.requestConsent(browser, { code_challenge_method: undefined })).response.status,
    ).toBe(200);
  });

  it('accepts any port for a loopback redirect URI', async () => {
    const local = await openApplication(site, {
      redirect_uris: ['http://127.0.0.1/cb', 'http://[::1]:1/cb'],
    });
    const { response, send } = await local.requestConsent(browser, {
      redirect_uri: 'http://127.0.0.1:50123/cb',
    });
    expect(response.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://127.0.0.1:50123;",
    );
    expect(redirectOf(await send())).toEqual([
      302,
      'http://127.0.0.1:50123/cb',
      { code: expect.any(String), state: 's-1', iss: issuer() },
    ]);
    const six = await local.requestConsent(browser, { redirect_uri: 'http://[::1]:2/cb' });
    expect(six.response.headers.get('content-security-policy')).toContain("form-action 'self' http:;");
    for (const redirect_uri of ['http://localhost/cb', 'http://127.0.0.1:50123/other'])
      expect((await local.requestConsent(browser, { redirect_uri })).response.status).toBe(400);
  });

  it('offers the registered scopes without a scope parameter, and no others with one', async () => {
    const limited = await openApplication(site, { scope: 'content:write media:read' });
    expect((await limited.requestConsent(browser, { scope: undefined })).boxes).toEqual([
      'content:write',
      'media:read',
    ]);
    const wide = 'media:read media:write menus:manage settings:read';
    expect((await limited.requestConsent(browser, { scope: wide })).boxes).toEqual([
      'media:read',
      'menus:manage',
    ]);
  });

  it.each([
    ['subscriber', ['content:read', 'mcp:tools:shop']],
    ['contributor', ['content:read', 'content:write', 'mcp:tools:shop']],
    ['editor', ['content:read', 'content:write', 'schema:read', 'mcp:tools:shop']],
    ['admin', ['content:read', 'content:write', 'schema:read', 'mcp:tools', 'mcp:tools:shop', 'admin']],
  ] as const)('offers a %s only scopes of the role', async (role, expected) => {
    const scope = 'content:read content:write schema:read admin mcp:tools mcp:tools:shop';
    expect((await application.requestConsent(await site.signedIn(role), { scope })).offered).toEqual(
      expected,
    );
  });

  it('returns 400 for an application of another site', async () => {
    const other = await openSite();
    const otherAdmin = await other.signedIn('admin');
    expect((await otherAdmin.get(application.address())).status).toBe(400);
    await other.close();
  });
});

describe('POST /_cms/oauth/authorize', () => {
  it('redirects with a code and the state after approval', async () => {
    const { send } = await application.requestConsent(browser, { state: 'ä &=' });
    const response = await send();
    expect(redirectOf(response)).toEqual([
      302,
      callback,
      { code: expect.stringMatching(/^[\w-]{43}$/), state: 'ä &=', iss: issuer() },
    ]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('redirects with access_denied after denial', async () => {
    const { send } = await application.requestConsent(browser);
    expect(redirectOf(await send({ action: 'deny' }))).toEqual([
      302,
      callback,
      { error: 'access_denied', state: 's-1', iss: issuer() },
    ]);
  });

  it('keeps the query of the registered address', async () => {
    const redirect_uri = 'https://app.example/cb?tenant=a%20b';
    const { send } = await (
      await openApplication(site, { redirect_uris: [redirect_uri] })
    ).requestConsent(browser, {
      redirect_uri,
      state: undefined,
    });
    expect((await send()).headers.get('location')).toMatch(
      /^https:\/\/app\.example\/cb\?tenant=a%20b&code=[\w-]{43}&iss=http[^&]+_cms$/,
    );
  });

  it('redirects with invalid_scope when no scope is left', async () => {
    const expected = [302, callback, { error: 'invalid_scope', state: 's-1', iss: issuer() }];
    expect(redirectOf(await (await application.requestConsent(browser)).send({ scopes: [] }))).toEqual(
      expected,
    );
    const reader = await application.requestConsent(await site.signedIn('subscriber'), { scope: 'admin' });
    expect(reader.boxes).toEqual([]);
    expect(redirectOf(await reader.send({ scopes: ['admin'] }))).toEqual(expected);
  });

  it('narrows the requested scopes but does not widen them', async () => {
    const { send } = await application.requestConsent(browser, { scope: 'content:read media:read' });
    const { searchParams } = new URL(
      (await send({ scopes: ['media:read', 'content:write'] })).headers.get('location') ?? '',
    );
    const tokens = await application.exchange(searchParams.get('code') ?? '');
    expect(tokens.body).toMatchObject({ scope: 'media:read' });
  });

  it('returns 401 after the session has expired', async () => {
    const leaving = await site.signedIn('editor', 'leaving');
    const { send } = await application.requestConsent(leaving);
    await leaving.post('/auth/logout');
    await eventually(async () => (await leaving.get('/auth/me')).status !== 200);
    const response = await send();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      401,
      'text/html; charset=utf-8',
    ]);
  });

  it('returns 403 without the CSRF token of this browser', async () => {
    const [mine, other] = [
      await application.requestConsent(browser),
      await application.requestConsent(await site.signedIn('editor')),
    ];
    const csrf = /value="([\w-]{43})"/.exec(other.page)?.[1] ?? '';
    for (const changes of [{ csrf }, { csrf: '' }, { cookie: '' }, { csrf: '', cookie: 'cms_oauth_csrf=' }]) {
      const response = await mine.send(changes);
      expect([
        response.status,
        response.headers.get('content-type'),
        response.headers.get('location'),
      ]).toEqual([403, 'text/html; charset=utf-8', null]);
    }
    expect((await mine.send()).status).toBe(302);
  });

  it('returns 403 for a form sent from another origin', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-cms-request': undefined };
    const response = await browser.post(application.address(), undefined, {
      headers: { ...headers, origin: 'https://evil.example' },
      rawBody: 'csrf=x&action=approve',
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      403,
      'text/html; charset=utf-8',
    ]);
  });

  it('returns 400 for an unknown action', async () => {
    const { send } = await application.requestConsent(browser);
    expect((await send({ action: 'perhaps' })).status).toBe(400);
  });

  it('redirects with server_error and the state on an internal error', async () => {
    const broken = await openSite();
    const reader = await broken.signedIn('editor');
    const app = await openApplication(broken);
    const { send } = await app.requestConsent(reader, { state: 's 9' });
    await broken.sql('ALTER TABLE oauth_codes RENAME TO oauth_codes_away');
    const response = await send();
    const expected = { error: 'server_error', state: 's 9', iss: issuer(broken.host) };
    expect(redirectOf(response)).toEqual([302, callback, expected]);
    expect([response.headers.get('cache-control'), response.body]).toEqual(['no-store', '']);
    await broken.close();
  });

  it('accepts forms of two windows of one browser', async () => {
    const first = await application.requestConsent(browser);
    const cookie = /cms_oauth_csrf=[^;]+/.exec(first.response.headers.get('set-cookie') ?? '')?.[0] ?? '';
    const second = await browser.get(application.address({ state: 's-2' }), {
      headers: { cookie: `cms_session=${browser.session}; ${cookie}`, 'x-cms-request': undefined },
    });
    expect(second.headers.get('set-cookie')).toContain(cookie);
    expect((await first.send()).status).toBe(302);
  });
});
