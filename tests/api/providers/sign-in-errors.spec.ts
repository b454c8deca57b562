import { beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, useSite } from '@quire/testing';
import {
  atGitHub,
  atOpenIdProvider,
  Browser,
  locationOf,
  loginErrorOf,
  sessionOf,
  stateOf,
  type GitHubAccount,
} from './support.js';

const site = useSite();
beforeAll(async () => {
  await site.another('author', 'ann');
});

const ann = () => ({ sub: 'ann', email: `ann@${site.tenant}.example`, email_verified: true });
const octo = (more: Partial<GitHubAccount> = {}): GitHubAccount => ({
  user: { id: 1, login: 'octo' },
  emails: [{ email: ann().email, primary: true, verified: true }],
  ...more,
});

/** Signs in at the OpenID provider up to its redirect to the callback. */
async function beforeCallback() {
  const browser = new Browser(site);
  const address = await atOpenIdProvider(locationOf(await browser.leave('google')), ann());
  return { browser, address, returnFromProvider: (by = browser) => by.returnFromProvider('google', address) };
}

/** Updates the stored login attempts. */
const updateAttempts = (change: string) => site.sql(`UPDATE login_attempts SET ${change}`);

describe('GET /auth/oauth/{provider}', () => {
  it('redirects with state, PKCE challenge and nonce, and binds the login to the browser', async () => {
    const response = await new Browser(site).leave('google');
    expect(response.status).toBe(302);
    const query = Object.fromEntries(new URL(locationOf(response)).searchParams);
    expect(query).toEqual({
      client_id: 'quire',
      response_type: 'code',
      redirect_uri: `http://${site.host}/_cms/api/auth/oauth/google/callback`,
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(response.headers.get('set-cookie')).toMatch(
      /^cms_login=[\w-]{43}; Max-Age=600; Path=\/_cms\/api\/auth\/oauth; HttpOnly; SameSite=Lax$/,
    );
    const stored = JSON.stringify(await site.sql('SELECT * FROM login_attempts'));
    expect(stored).not.toContain(query['state']);
  });

  it('redirects to GitHub with state and PKCE challenge', async () => {
    const { pathname, searchParams } = new URL(locationOf(await new Browser(site).leave('github')));
    expect(pathname).toBe('/login/oauth/authorize');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      redirect_uri: `http://${site.host}/_cms/api/auth/oauth/github/callback`,
      scope: 'read:user user:email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
  });

  it('returns an error for a provider that is unknown or has no credentials', async () => {
    for (const [provider, code] of [
      ['nobody', 'invalid_provider'],
      ['unset', 'provider_not_configured'],
    ] as const) {
      expect(loginErrorOf(await new Browser(site).leave(provider))).toBe(code);
      const callback = await new Browser(site).returnFromProvider(provider, { code: 'c', state: 's' });
      expect([callback.status, loginErrorOf(callback)]).toEqual([302, code]);
    }
  });

  it.each(['faulty-down', 'faulty-huge'])(
    'redirects to the login page when the provider is %s',
    async (provider) => {
      const response = await new Browser(site).leave(provider);
      expect([response.status, loginErrorOf(response)]).toEqual([302, 'oauth_error']);
    },
  );

  it('redirects a rate-limited client to the login page', async () => {
    const client = { headers: { 'x-real-ip': '198.51.100.77' } };
    const begin = () => site.anonymous().get('/auth/oauth/handle?handle=ann', client);
    const responses = [];
    for (let round = 0; round < 61; round += 1) responses.push(loginErrorOf(await begin()));
    expect(responses.slice(0, 60)).toEqual(Array(60).fill(undefined));
    expect(responses[60]).toBe('oauth_error');
  });
});

describe('GET /auth/oauth/{provider}/callback (contract 29)', () => {
  it('reports oauth_denied when the user declined', async () => {
    const response = await new Browser(site).google('no');
    expect([response.status, loginErrorOf(response), sessionOf(response)]).toEqual([
      302,
      'oauth_denied',
      undefined,
    ]);
  });

  it('reports a provider error without its message', async () => {
    const browser = new Browser(site);
    const state = stateOf(locationOf(await browser.leave('google')));
    const response = await browser.returnFromProvider('google', {
      state,
      error: 'server_error',
      error_description: 'words',
    });
    expect(loginErrorOf(response)).toBe('oauth_error');
    expect(locationOf(response)).not.toContain('words');
    expect(loginErrorOf(await browser.returnFromProvider('google', { state, code: 'late' }))).toBe(
      'invalid_state',
    );
  });

  it('requires a state and a code', async () => {
    const { browser, address } = await beforeCallback();
    const query = Object.fromEntries(new URL(address).searchParams);
    const { state: _state, ...stateless } = query;
    const { code: _code, ...codeless } = query;
    expect(loginErrorOf(await browser.returnFromProvider('google', stateless))).toBe('invalid_callback');
    expect(loginErrorOf(await browser.returnFromProvider('google', codeless))).toBe('invalid_callback');
  });

  it('accepts a callback once', async () => {
    const { returnFromProvider } = await beforeCallback();
    expect(sessionOf(await returnFromProvider())).toBeDefined();
    const again = await returnFromProvider();
    expect([loginErrorOf(again), sessionOf(again)]).toEqual(['invalid_state', undefined]);
  });

  it('accepts a callback once for concurrent requests', async () => {
    const { returnFromProvider } = await beforeCallback();
    const responses = await Promise.all([returnFromProvider(), returnFromProvider(), returnFromProvider()]);
    expect(responses.filter(sessionOf)).toHaveLength(1);
    expect(responses.filter((response) => loginErrorOf(response) === 'invalid_state')).toHaveLength(2);
  });

  it('rejects another browser and still works in the original one', async () => {
    const { returnFromProvider } = await beforeCallback();
    const outsider = new Browser(site);
    expect(loginErrorOf(await returnFromProvider(outsider))).toBe('invalid_state');
    await outsider.leave('google');
    expect(loginErrorOf(await returnFromProvider(outsider))).toBe('invalid_state');
    expect(sessionOf(await returnFromProvider())).toBeDefined();
  });

  it('rejects another provider and an unknown state', async () => {
    const { browser, address, returnFromProvider } = await beforeCallback();
    expect(loginErrorOf(await browser.returnFromProvider('github', address))).toBe('invalid_state');
    expect(loginErrorOf(await browser.returnFromProvider('google', { code: 'c', state: 'unknown' }))).toBe(
      'invalid_state',
    );
    expect(sessionOf(await returnFromProvider())).toBeDefined();
  });

  it('rejects a callback of another site', async () => {
    const { address } = await beforeCallback();
    const other = await openSite();
    const browser = new Browser(other);
    await browser.leave('google');
    expect(loginErrorOf(await browser.returnFromProvider('google', address))).toBe('invalid_state');
    await other.close();
  });

  it('returns invalid_state after 10 minutes', async () => {
    const { returnFromProvider } = await beforeCallback();
    const [attempt] = await site.sql<{ seconds: number }>(
      'SELECT max(extract(epoch FROM expires_at - now()))::float AS seconds FROM login_attempts',
    );
    expect(attempt?.seconds).toBeGreaterThan(540);
    expect(attempt?.seconds).toBeLessThanOrEqual(600);
    await updateAttempts("expires_at = now() - interval '1 second'");
    expect(loginErrorOf(await returnFromProvider())).toBe('invalid_state');
  });

  it.each([
    [
      'a code that was requested with another PKCE verifier',
      `kept = kept::jsonb || '{"verifier": "${'x'.repeat(43)}"}'`,
    ],
    ['an id token for another login', `kept = kept::jsonb || '{"nonce": "another"}'`],
  ])('rejects %s', async (_case, change) => {
    const { returnFromProvider } = await beforeCallback();
    await updateAttempts(change);
    const response = await returnFromProvider();
    expect([loginErrorOf(response), sessionOf(response)]).toEqual(['token_exchange_failed', undefined]);
  });

  it('rejects an unknown code and the response of another issuer', async () => {
    const { browser, address } = await beforeCallback();
    const forged = new URL(address);
    forged.searchParams.set('code', 'unknown');
    expect(loginErrorOf(await browser.returnFromProvider('google', forged.href))).toBe(
      'token_exchange_failed',
    );
    const other = await beforeCallback();
    const mixed = new URL(other.address);
    mixed.searchParams.set('iss', 'https://evil.example');
    expect(loginErrorOf(await other.browser.returnFromProvider('google', mixed.href))).toBe(
      'token_exchange_failed',
    );
  });

  it('rejects another PKCE verifier from GitHub', async () => {
    const browser = new Browser(site);
    const address = await atGitHub(locationOf(await browser.leave('github')), octo());
    await updateAttempts(`kept = '{"verifier": "${'x'.repeat(43)}"}'`);
    expect(loginErrorOf(await browser.returnFromProvider('github', address))).toBe('token_exchange_failed');
  });

  it.each(['profile', 'huge'] as const)(
    'redirects to the login page when the profile cannot be read (%s)',
    async (fault) => {
      expect(loginErrorOf(await new Browser(site).github(octo({ fault })))).toBe('profile_fetch_failed');
    },
  );

  it('reports profile_fetch_failed when the account has no primary address', async () => {
    expect(loginErrorOf(await new Browser(site).github(octo({ emails: [] })))).toBe('profile_fetch_failed');
  });

  /** Completes a login at a faulty OpenID provider. @returns the error on the login page */
  async function fromFaulty(fault: string) {
    const browser = new Browser(site);
    const { searchParams } = new URL(locationOf(await browser.leave(`faulty-${fault}`)));
    const query = { state: String(searchParams.get('state')), code: String(searchParams.get('nonce')) };
    return loginErrorOf(await browser.returnFromProvider(`faulty-${fault}`, query));
  }

  it.each(['audience', 'signature', 'issuer'])('rejects an id token with a wrong %s', async (fault) =>
    expect(await fromFaulty(fault)).toBe('token_exchange_failed'),
  );

  it('redirects to the login page when the provider does not respond', async () => {
    expect(await fromFaulty('slow')).toBe('token_exchange_failed');
  });

  it('accepts a valid id token (control for the cases above)', async () => {
    expect(await fromFaulty('none')).toBe('signup_not_allowed');
  });

  it('redirects without secrets or addresses in the URL', async () => {
    const { browser, address } = await beforeCallback();
    await updateAttempts(`kept = kept::jsonb || '{"nonce": "another"}'`);
    const location = locationOf(await browser.returnFromProvider('google', address));
    const { searchParams } = new URL(address);
    for (const secret of [searchParams.get('code'), searchParams.get('state'), ann().email, '@'])
      expect(location).not.toContain(secret);
    expect(new URL(location, 'http://a.example').searchParams.get('message')).toBe(
      'Google did not confirm the login',
    );
  });
});
