import { beforeAll, describe, expect, it } from '@jest/globals';
import { useEdgeTestEnvironment, waitForChange, type EdgeSite } from './support.js';

const testEnvironment = useEdgeTestEnvironment();
let site: EdgeSite;
let assertion: string;

beforeAll(async () => {
  site = await testEnvironment.site(await testEnvironment.start());
  assertion = await site.assert('first');
  await site.get('/auth/me', { assertion });
});

const csrfHeaders = { 'x-cms-request': '1' };

describe('session behind an edge access proxy (document 1, Sessions)', () => {
  /** Signs a user in. @returns the assertion and the session with its cookie */
  async function signedIn(name: string) {
    const own = await site.assert(name);
    const { session, headers } = await site.get('/auth/me', { assertion: own });
    return { own, session: String(session), cookie: String(headers['set-cookie']) };
  }

  it('is opened at the first visit and reused while the browser sends its cookie', async () => {
    const { own, session, cookie } = await signedIn('ann');
    expect(cookie).toMatch(/^cms_session=[\w-]+; Path=\/; HttpOnly; SameSite=Lax$/);
    const next = await site.get('/auth/sessions', { assertion: own, session });
    expect(next.session).toBeUndefined();
    expect(next.data.items).toHaveLength(1);
    expect(next.data.items[0]).toMatchObject({ isCurrent: true });
  });

  it('is one per assertion for concurrent requests without the cookie', async () => {
    const own = await site.assert('bea');
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => site.get('/auth/sessions', { assertion: own })),
    );
    expect(new Set(responses.map(({ session }) => session)).size).toBe(1);
    const { data } = await site.get('/auth/sessions', { assertion: own });
    expect(data.items).toHaveLength(1);
  });

  it('is one of at most 20 per user', async () => {
    for (let visit = 0; visit < 22; visit += 1) await site.visit('cem');
    const { data } = await site.get('/auth/sessions', { assertion: await site.assert('cem') });
    expect(data.items).toHaveLength(20);
  });

  it('does not replace the assertion at protected paths', async () => {
    const { session } = await signedIn('dan');
    const paths = [
      '/auth/me',
      '/content/posts',
      '/admin/users',
      '/auth/sessions',
      '/search?q=x',
      '/search/suggest?q=x',
    ];
    for (const path of paths) {
      const response = await site.get(path, { session });
      expect([response.status, response.text]).toEqual([401, 'No Access JWT present']);
    }
  });

  it('does not replace the assertion at paths that a site can make public', async () => {
    const { own, session } = await signedIn('dora');
    const resolve = async (options: object) => (await site.get('/redirects/resolve?path=/x', options)).status;
    expect([await resolve({ session }), await resolve({ assertion: own })]).toEqual([401, 200]);
  });

  it('is replaced when the assertion beside it is of another user', async () => {
    const { session } = await signedIn('eve');
    const response = await site.get('/auth/me', { assertion, session });
    expect(response.data.email).toBe(site.email('first'));
    expect(response.session).toMatch(/./);
    expect(response.session).not.toBe(session);
  });

  it('ends with the logout, and the next visit opens another', async () => {
    const { own, session } = await signedIn('fay');
    const logout = await site.post('/auth/logout', { assertion: own, session });
    expect([logout.status, logout.session]).toEqual([200, '']);
    const next = await signedIn('fay');
    const { data } = await site.get('/auth/sessions', { assertion: next.own, session: next.session });
    expect(data.items).toHaveLength(1);
    expect(next.session).not.toBe(session);
  });

  it('is not set in cacheable responses', async () => {
    const { headers } = await site.get('/.well-known/oauth-protected-resource', { assertion });
    expect(headers['cache-control']).toContain('public');
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it.each([
    ['one process', {}],
    ['separate processes', { isDistributed: true }],
  ])('is set beside the CSRF cookie of a page, from %s', async (_, options) => {
    const origin = await testEnvironment.start({}, options);
    const fresh = await testEnvironment.site(origin);
    const visit = { assertion: await fresh.assert('first') };
    const { text } = await fresh.send('GET', '/_cms/admin/setup', visit);
    expect(text).toContain('Title of the site');
    const { headers } = await fresh.send('GET', '/_cms/admin/setup', visit);
    const names = [headers['set-cookie'] ?? []].flat().map((line) => line.split('=', 1)[0]);
    expect(names).toEqual(['cms_session', 'cms_admin_csrf']);
    await testEnvironment.stopAllExcept(site.origin);
  });

  it('is not set with assets of pages', async () => {
    const fresh = await testEnvironment.site(site.origin);
    const own = await fresh.assert('first');
    const { text } = await fresh.send('GET', '/_cms/admin/setup', { assertion: own });
    const [, stylesheet = ''] = /href="([^"]+\.css)"/.exec(text) ?? [];
    for (const sent of [{}, { assertion: own }]) {
      const { status, headers } = await fresh.send('GET', stylesheet, sent);
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
      expect(headers).not.toHaveProperty('set-cookie');
    }
  });

  it('identifies the author of comments until it ends', async () => {
    const { own, session } = await signedIn('gus');
    const by = { assertion };
    await site.post('/schema/collections', {
      ...by,
      body: { slug: 'talks', label: 'Talks' },
    });
    await site.send('PUT', '/schema/collections/talks', {
      ...by,
      headers: csrfHeaders,
      body: { commentsEnabled: true, commentsModeration: 'none' },
    });
    const entry = await site.post('/content/talks', { ...by, body: { slug: 'first', data: {} } });
    const { id } = (entry.data as { item: { id: string } }).item;
    expect((await site.post(`/content/talks/${id}/publish`, by)).status).toBe(200);
    const comment = async (text: string) => {
      const body = { authorName: 'Guest', authorEmail: 'guest@guests.example', body: text };
      expect((await site.post(`/comments/talks/${id}`, { session, body })).status).toBe(201);
      const { data } = await site.get('/admin/comments?status=approved', by);
      const items = data.items as { body: string; authorEmail: string }[];
      return items.find((item) => item.body === text)?.authorEmail;
    };
    expect(await comment('While signed in')).toBe(site.email('gus'));
    await site.post('/auth/logout', { assertion: own, session });
    let count = 0;
    const next = () => comment(`Signed out ${(count += 1)}`);
    expect(await waitForChange(site.email('gus'), next)).toBe('guest@guests.example');
  });
});

describe('cross-site write', () => {
  const write = { action: 'dismissWelcome' };

  it('returns CSRF_REJECTED with an assertion and without X-CMS-Request', async () => {
    const rejected = await site.send('POST', '/auth/me', { assertion, body: write });
    expect([rejected.status, rejected.error?.code]).toEqual([403, 'CSRF_REJECTED']);
    const own = { origin: `http://${site.host}` };
    expect((await site.send('POST', '/auth/me', { assertion, body: write, headers: own })).status).toBe(403);
    expect((await site.post('/auth/me', { assertion, body: write })).status).toBe(200);
  });
});

describe('Bearer token behind an edge access proxy', () => {
  it('authenticates by itself, and takes precedence over an assertion', async () => {
    const authorization = `Bearer ${await site.token('editor')}`;
    for (const sent of [{}, { assertion }]) {
      const response = await site.get('/auth/me', { ...sent, headers: { authorization } });
      expect([response.status, response.data.email, response.session]).toEqual([
        200,
        site.email('editor'),
        undefined,
      ]);
    }
  });

  it('does not replace an invalid assertion', async () => {
    const headers = { authorization: `Bearer ${await site.token('editor')}` };
    const foreign = await site.assert('first', { claims: { aud: ['another'] } });
    expect((await site.get('/auth/me', { assertion: foreign, headers })).text).toBe('JWT audience mismatch');
    const rejected = await site.get('/auth/me', { assertion: 'forged', headers });
    expect([rejected.status, rejected.text]).toEqual([401, 'Access JWT not valid']);
  });

  it('is accepted with the assertion of a program, which has no address', async () => {
    const headers = { authorization: `Bearer ${await site.token('editor')}` };
    const own = await site.assert('program', { claims: { email: undefined } });
    expect((await site.get('/auth/me', { assertion: own, headers })).status).toBe(200);
  });

  it('that is invalid returns 401 despite an assertion', async () => {
    const response = await site.get('/auth/me', { assertion, headers: { authorization: 'Bearer ec_pat_x' } });
    expect([response.status, response.error?.code]).toEqual([401, 'INVALID_TOKEN']);
  });
});

describe('paths without an assertion (contract 4)', () => {
  it.each([
    ['/comments/posts/x', 404],
    // Public by a setting of the site, which the operation checks.
    ['/redirects/resolve?path=/x', 401],
    ['/auth/mode', 200],
    ['/setup/status', 200],
    ['/openapi.json', 200],
    ['/.well-known/oauth-protected-resource', 200],
    ['/.well-known/oauth-authorization-server/_cms', 200],
    ['/_cms/.well-known/auth', 200],
  ])('GET %s returns %i', async (path, status) => {
    const response = await site.get(path);
    expect([response.status, response.type]).toEqual([status, expect.stringContaining('application/json')]);
  });

  it('return 401 for an invalid assertion', async () => {
    const other = await site.assert('first', { claims: { aud: 'another' } });
    expect((await site.get('/auth/mode', { assertion: other })).text).toBe('JWT audience mismatch');
  });

  it('include the token endpoint, which requires a secret', async () => {
    const response = await site.send('POST', '/_cms/api/oauth/token', {
      body: { grant_type: 'refresh_token', refresh_token: 'ec_ort_x', client_id: 'x' },
    });
    expect([response.status, response.data.error]).toEqual([400, 'invalid_grant']);
  });
});

describe('operations that the proxy replaces (document 1, Edge access mode: unavailable)', () => {
  it.each([
    ['POST', '/auth/passkey/options'],
    ['POST', '/auth/passkey/verify'],
    ['GET', '/auth/passkey'],
    ['POST', '/auth/passkey/register/options'],
    ['POST', '/auth/passkey/register/verify'],
    ['DELETE', '/auth/passkey/x'],
    ['POST', '/auth/magic-link/send'],
    ['GET', '/auth/magic-link/verify?token=x'],
    ['POST', '/auth/invite'],
    ['GET', '/auth/invite/accept?token=x'],
    ['POST', '/auth/signup/request'],
    ['GET', '/auth/oauth/any'],
    ['GET', '/auth/oauth/any/callback'],
    ['POST', '/setup/admin'],
    ['POST', '/setup/admin/verify'],
    ['POST', '/admin/users/x/send-recovery'],
    ['POST', '/oauth/register'],
    ['POST', '/oauth/device/code'],
    ['POST', '/oauth/device/token'],
    ['POST', '/oauth/device/authorize'],
    // Other spellings that routers treat as the same path.
    ['POST', '/auth/pass%6Bey/options'],
    ['GET', '/auth/passkey/'],
  ])('return 404 NOT_FOUND: %s %s', async (method, path) => {
    for (const sent of [{}, { assertion }]) {
      const response = await site.send(method, path, { ...sent, headers: csrfHeaders });
      expect([response.status, response.error?.code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  it.each([
    '/_cms/oauth/authorize',
    '/_cms/admin/login',
    '/_cms/admin/signup',
    '/_cms/admin/device',
    '/_cms/admin/invite/accept',
    '/_cms/admin/setup/account',
  ])('return 404 as a page: %s', async (path) => {
    const response = await site.send('GET', path, { assertion });
    expect(response.status).toBe(404);
    expect(response.text).toContain('Page not found');
  });
});

describe('pages behind an edge access proxy', () => {
  const home = '/_cms/admin';

  it('redirect the first user to the site step of the setup, and then home', async () => {
    const fresh = await testEnvironment.site(site.origin);
    const own = await fresh.assert('first');
    const firstVisit = await fresh.send('GET', home, { assertion: own });
    expect([firstVisit.status, firstVisit.headers.location]).toEqual([302, '/_cms/admin/setup']);
    const setup = await fresh.send('GET', '/_cms/admin/setup', { assertion: own });
    expect(setup.text).toContain('Title of the site');
    await fresh.post('/setup', { assertion: own, body: { title: 'My site', includeContent: false } });
    const completed = await fresh.send('GET', '/_cms/admin/setup', { assertion: own });
    expect([completed.status, completed.headers.location]).toEqual([302, home]);
  });

  it('show the user without passkeys and sign-out', async () => {
    const fresh = await testEnvironment.site(site.origin);
    const own = await fresh.assert('first');
    await fresh.post('/setup', { assertion: own, body: { title: 'My site', includeContent: false } });
    const { status, text } = await fresh.send('GET', home, { assertion: own });
    expect(status).toBe(200);
    expect(text).toContain('Your account');
    expect(text).not.toContain('passkey');
    expect(text).not.toContain('sign-out');
  });

  it('require the assertion', async () => {
    const { status, text } = await site.send('GET', home);
    expect([status, text]).toEqual([401, 'No Access JWT present']);
  });
});

describe('discovery behind an edge access proxy', () => {
  it('returns the type of the proxy, without sign-up and providers, for any allowed domains', async () => {
    const body = { domain: 'site.example', defaultRole: 20 };
    expect((await site.post('/admin/allowed-domains', { assertion, body })).status).toBe(201);
    expect((await site.get('/auth/mode')).data).toEqual({
      authMode: 'edge-access',
      signupEnabled: false,
      providers: [],
    });
  });

  it('returns an external provider and tokens for programs (contract 34)', async () => {
    const { auth } = (await site.get('/_cms/.well-known/auth')).data as { auth: object };
    expect(auth).toEqual({
      mode: 'external',
      external_provider: 'edge-access',
      methods: { api_tokens: true },
    });
  });

  it('contains only endpoints to refresh and revoke tokens', async () => {
    const { data } = await site.get('/.well-known/oauth-authorization-server/_cms');
    expect(data).toMatchObject({ response_types_supported: [], grant_types_supported: ['refresh_token'] });
    expect(Object.keys(data as object).filter((name) => name.endsWith('_endpoint'))).toEqual([
      'token_endpoint',
      'revocation_endpoint',
    ]);
  });
});

describe('setup behind an edge access proxy (contract 26)', () => {
  const body = { title: 'My site', tagline: 'Of mine', includeContent: false };

  it('is complete when the first user sets the title', async () => {
    const fresh = await testEnvironment.site(site.origin);
    expect((await fresh.get('/setup/status')).data).toEqual({
      needsSetup: true,
      needsLink: false,
      step: 'start',
      seedInfo: expect.objectContaining({ name: 'Blog' }),
      authMode: 'edge-access',
    });
    const own = await fresh.assert('first');
    const response = await fresh.post('/setup', { assertion: own, body });
    expect([response.status, response.data]).toEqual([
      200,
      {
        success: true,
        setupComplete: true,
        result: expect.objectContaining({ settings: 2, collections: 2 }),
      },
    ]);
    expect((await fresh.get('/setup/status')).data).toEqual({ needsSetup: false });
    expect((await fresh.get('/settings', { assertion: own })).data).toMatchObject({ title: 'My site' });
    const again = await fresh.post('/setup', { assertion: own, body });
    expect([again.status, again.error?.code]).toEqual([409, 'ALREADY_CONFIGURED']);
  });

  it('returns 403 to later users and 401 without an assertion', async () => {
    const fresh = await testEnvironment.site(site.origin);
    await fresh.visit('first');
    const response = await fresh.post('/setup', { assertion: await fresh.assert('second'), body });
    expect([response.status, response.error?.code]).toEqual([403, 'FORBIDDEN']);
    expect((await fresh.post('/setup', { body })).text).toBe('No Access JWT present');
    expect((await fresh.get('/setup/status')).data.needsSetup).toBe(true);
  });
});
