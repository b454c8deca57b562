import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, type Site } from '@quire/testing';
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

let site: Site;
beforeAll(async () => {
  site = await openSite();
  await site.another('author', 'ann');
});
afterAll(() => site.close());

const ann = () => ({ sub: 'ann', email: `ann@${site.tenant}.example`, email_verified: true });
const octo = (more: Partial<GitHubAccount> = {}): GitHubAccount => ({
  user: { id: 1, login: 'octo' },
  emails: [{ email: ann().email, primary: true, verified: true }],
  ...more,
});

/** A browser that comes back from the OpenID provider, as its site's address has it. */
async function onTheWayBack() {
  const browser = new Browser(site);
  const address = await atOpenIdProvider(locationOf(await browser.leave('google')), ann());
  return { browser, address, returnFromProvider: (by = browser) => by.returnFromProvider('google', address) };
}

/** Changes what the server remembers of the browsers that are away. */
const remember = (change: string) => site.sql(`UPDATE login_attempts SET ${change}`);

describe('the way to a login provider', () => {
  it('carries a state, a PKCE challenge and a nonce, and binds the login to the browser', async () => {
    const answer = await new Browser(site).leave('google');
    expect(answer.status).toBe(302);
    const query = Object.fromEntries(new URL(locationOf(answer)).searchParams);
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
    expect(answer.headers.get('set-cookie')).toMatch(
      /^cms_login=[\w-]{43}; Max-Age=600; Path=\/_cms\/api\/auth\/oauth; HttpOnly; SameSite=Lax$/,
    );
    const stored = JSON.stringify(await site.sql('SELECT * FROM login_attempts'));
    expect(stored).not.toContain(query['state']);
  });

  it('to GitHub carries a state and a PKCE challenge', async () => {
    const { pathname, searchParams } = new URL(locationOf(await new Browser(site).leave('github')));
    expect(pathname).toBe('/login/oauth/authorize');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      redirect_uri: `http://${site.host}/_cms/api/auth/oauth/github/callback`,
      scope: 'read:user user:email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
  });

  it('does not exist for a provider that the site does not list, or that has no credentials', async () => {
    for (const [provider, code] of [
      ['nobody', 'invalid_provider'],
      ['unset', 'provider_not_configured'],
    ] as const) {
      expect(loginErrorOf(await new Browser(site).leave(provider))).toBe(code);
      const back = await new Browser(site).returnFromProvider(provider, { code: 'c', state: 's' });
      expect([back.status, loginErrorOf(back)]).toEqual([302, code]);
    }
  });

  it.each(['faulty-down', 'faulty-huge'])(
    'ends on the login page when the provider is %s',
    async (provider) => {
      const answer = await new Browser(site).leave(provider);
      expect([answer.status, loginErrorOf(answer)]).toEqual([302, 'oauth_error']);
    },
  );

  it('redirects a rate-limited client to the login page', async () => {
    const client = { headers: { 'x-real-ip': '198.51.100.77' } };
    const begin = () => site.anonymous().get('/auth/oauth/handle?handle=ann', client);
    const answers = [];
    for (let round = 0; round < 61; round += 1) answers.push(loginErrorOf(await begin()));
    expect(answers.slice(0, 60)).toEqual(Array(60).fill(undefined));
    expect(answers[60]).toBe('oauth_error');
  });
});

describe('the way back from a login provider (contract 29)', () => {
  it('reports oauth_denied when the user declined', async () => {
    const answer = await new Browser(site).google('no');
    expect([answer.status, loginErrorOf(answer), sessionOf(answer)]).toEqual([
      302,
      'oauth_denied',
      undefined,
    ]);
  });

  it('reports a provider error without its message', async () => {
    const browser = new Browser(site);
    const state = stateOf(locationOf(await browser.leave('google')));
    const answer = await browser.returnFromProvider('google', {
      state,
      error: 'server_error',
      error_description: 'words',
    });
    expect(loginErrorOf(answer)).toBe('oauth_error');
    expect(locationOf(answer)).not.toContain('words');
    expect(loginErrorOf(await browser.returnFromProvider('google', { state, code: 'late' }))).toBe(
      'invalid_state',
    );
  });

  it('requires a state and a code', async () => {
    const { browser, address } = await onTheWayBack();
    const query = Object.fromEntries(new URL(address).searchParams);
    const { state: _state, ...stateless } = query;
    const { code: _code, ...codeless } = query;
    expect(loginErrorOf(await browser.returnFromProvider('google', stateless))).toBe('invalid_callback');
    expect(loginErrorOf(await browser.returnFromProvider('google', codeless))).toBe('invalid_callback');
  });

  it('works once', async () => {
    const { returnFromProvider } = await onTheWayBack();
    expect(sessionOf(await returnFromProvider())).toBeDefined();
    const again = await returnFromProvider();
    expect([loginErrorOf(again), sessionOf(again)]).toEqual(['invalid_state', undefined]);
  });

  it('works once for concurrent requests', async () => {
    const { returnFromProvider } = await onTheWayBack();
    const answers = await Promise.all([returnFromProvider(), returnFromProvider(), returnFromProvider()]);
    expect(answers.filter(sessionOf)).toHaveLength(1);
    expect(answers.filter((answer) => loginErrorOf(answer) === 'invalid_state')).toHaveLength(2);
  });

  it('rejects another browser and still works in the original one', async () => {
    const { returnFromProvider } = await onTheWayBack();
    const stranger = new Browser(site);
    expect(loginErrorOf(await returnFromProvider(stranger))).toBe('invalid_state');
    await stranger.leave('google');
    expect(loginErrorOf(await returnFromProvider(stranger))).toBe('invalid_state');
    expect(sessionOf(await returnFromProvider())).toBeDefined();
  });

  it('rejects another provider and an unknown state', async () => {
    const { browser, address, returnFromProvider } = await onTheWayBack();
    expect(loginErrorOf(await browser.returnFromProvider('github', address))).toBe('invalid_state');
    expect(loginErrorOf(await browser.returnFromProvider('google', { code: 'c', state: 'made-up' }))).toBe(
      'invalid_state',
    );
    expect(sessionOf(await returnFromProvider())).toBeDefined();
  });

  it('is rejected on another site', async () => {
    const { address } = await onTheWayBack();
    const neighbour = await openSite();
    const browser = new Browser(neighbour);
    await browser.leave('google');
    expect(loginErrorOf(await browser.returnFromProvider('google', address))).toBe('invalid_state');
    await neighbour.close();
  });

  it('expires after ten minutes', async () => {
    const { returnFromProvider } = await onTheWayBack();
    const [attempt] = await site.sql<{ seconds: number }>(
      'SELECT max(extract(epoch FROM expires_at - now()))::float AS seconds FROM login_attempts',
    );
    expect(attempt?.seconds).toBeGreaterThan(540);
    expect(attempt?.seconds).toBeLessThanOrEqual(600);
    await remember("expires_at = now() - interval '1 second'");
    expect(loginErrorOf(await returnFromProvider())).toBe('invalid_state');
  });

  it.each([
    [
      'a code that was got with another PKCE verifier',
      `kept = kept::jsonb || '{"verifier": "${'x'.repeat(43)}"}'`,
    ],
    ['an id token for another login', `kept = kept::jsonb || '{"nonce": "another"}'`],
  ])('rejects %s', async (_case, change) => {
    const { returnFromProvider } = await onTheWayBack();
    await remember(change);
    const answer = await returnFromProvider();
    expect([loginErrorOf(answer), sessionOf(answer)]).toEqual(['token_exchange_failed', undefined]);
  });

  it('rejects an invented code and the response of another issuer', async () => {
    const { browser, address } = await onTheWayBack();
    const forged = new URL(address);
    forged.searchParams.set('code', 'made-up');
    expect(loginErrorOf(await browser.returnFromProvider('google', forged.href))).toBe(
      'token_exchange_failed',
    );
    const other = await onTheWayBack();
    const mixed = new URL(other.address);
    mixed.searchParams.set('iss', 'https://evil.example');
    expect(loginErrorOf(await other.browser.returnFromProvider('google', mixed.href))).toBe(
      'token_exchange_failed',
    );
  });

  it('from GitHub rejects another PKCE verifier', async () => {
    const browser = new Browser(site);
    const address = await atGitHub(locationOf(await browser.leave('github')), octo());
    await remember(`kept = '{"verifier": "${'x'.repeat(43)}"}'`);
    expect(loginErrorOf(await browser.returnFromProvider('github', address))).toBe('token_exchange_failed');
  });

  it.each(['profile', 'huge'] as const)(
    'ends on the login page when the profile cannot be read (%s)',
    async (fault) => {
      expect(loginErrorOf(await new Browser(site).github(octo({ fault })))).toBe('profile_fetch_failed');
    },
  );

  it('fails when the account has no primary address', async () => {
    expect(loginErrorOf(await new Browser(site).github(octo({ emails: [] })))).toBe('profile_fetch_failed');
  });

  /** Comes back from one of the OpenID providers that have a fault. */
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
    const { browser, address } = await onTheWayBack();
    await remember(`kept = kept::jsonb || '{"nonce": "another"}'`);
    const location = locationOf(await browser.returnFromProvider('google', address));
    const { searchParams } = new URL(address);
    for (const secret of [searchParams.get('code'), searchParams.get('state'), ann().email, '@'])
      expect(location).not.toContain(secret);
    expect(new URL(location, 'http://a.example').searchParams.get('message')).toBe(
      'Google did not confirm the login',
    );
  });
});
