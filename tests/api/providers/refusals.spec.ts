import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, type Site } from '@quire/testing';
import {
  atGitHub,
  atOpenIdProvider,
  Browser,
  locationOf,
  refusalOf,
  sessionOf,
  stateOf,
  type GitHubAccount,
} from './browser.js';

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
  return { browser, address, comeBack: (by = browser) => by.comeBack('google', address) };
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
      expect(refusalOf(await new Browser(site).leave(provider))).toBe(code);
      const back = await new Browser(site).comeBack(provider, { code: 'c', state: 's' });
      expect([back.status, refusalOf(back)]).toEqual([302, code]);
    }
  });

  it.each(['faulty-down', 'faulty-huge'])(
    'ends on the login page when the provider is %s',
    async (provider) => {
      const answer = await new Browser(site).leave(provider);
      expect([answer.status, refusalOf(answer)]).toEqual([302, 'oauth_error']);
    },
  );

  it('leads a client that comes too often back to the login page', async () => {
    const client = { headers: { 'x-real-ip': '198.51.100.77' } };
    const begin = () => site.anonymous().get('/auth/oauth/handle?handle=ann', client);
    const answers = [];
    for (let round = 0; round < 61; round += 1) answers.push(refusalOf(await begin()));
    expect(answers.slice(0, 60)).toEqual(Array(60).fill(undefined));
    expect(answers[60]).toBe('oauth_error');
  });
});

describe('the way back from a login provider (contract 29)', () => {
  it('says that somebody did not want to', async () => {
    const answer = await new Browser(site).google('no');
    expect([answer.status, refusalOf(answer), sessionOf(answer)]).toEqual([302, 'oauth_denied', undefined]);
  });

  it('says that the provider failed, without its words', async () => {
    const browser = new Browser(site);
    const state = stateOf(locationOf(await browser.leave('google')));
    const answer = await browser.comeBack('google', {
      state,
      error: 'server_error',
      error_description: 'words',
    });
    expect(refusalOf(answer)).toBe('oauth_error');
    expect(locationOf(answer)).not.toContain('words');
    expect(refusalOf(await browser.comeBack('google', { state, code: 'late' }))).toBe('invalid_state');
  });

  it('has a state and a code', async () => {
    const { browser, address } = await onTheWayBack();
    const query = Object.fromEntries(new URL(address).searchParams);
    const { state: _state, ...stateless } = query;
    const { code: _code, ...codeless } = query;
    expect(refusalOf(await browser.comeBack('google', stateless))).toBe('invalid_callback');
    expect(refusalOf(await browser.comeBack('google', codeless))).toBe('invalid_callback');
  });

  it('is open once', async () => {
    const { comeBack } = await onTheWayBack();
    expect(sessionOf(await comeBack())).toBeDefined();
    const again = await comeBack();
    expect([refusalOf(again), sessionOf(again)]).toEqual(['invalid_state', undefined]);
  });

  it('is open once to several who come at once', async () => {
    const { comeBack } = await onTheWayBack();
    const answers = await Promise.all([comeBack(), comeBack(), comeBack()]);
    expect(answers.filter(sessionOf)).toHaveLength(1);
    expect(answers.filter((answer) => refusalOf(answer) === 'invalid_state')).toHaveLength(2);
  });

  it('is closed to another browser, and stays open to the one that began', async () => {
    const { comeBack } = await onTheWayBack();
    const stranger = new Browser(site);
    expect(refusalOf(await comeBack(stranger))).toBe('invalid_state');
    await stranger.leave('google');
    expect(refusalOf(await comeBack(stranger))).toBe('invalid_state');
    expect(sessionOf(await comeBack())).toBeDefined();
  });

  it('is closed at another provider, and with a state that nobody made', async () => {
    const { browser, address, comeBack } = await onTheWayBack();
    expect(refusalOf(await browser.comeBack('github', address))).toBe('invalid_state');
    expect(refusalOf(await browser.comeBack('google', { code: 'c', state: 'made-up' }))).toBe(
      'invalid_state',
    );
    expect(sessionOf(await comeBack())).toBeDefined();
  });

  it('is closed on another site', async () => {
    const { address } = await onTheWayBack();
    const neighbour = await openSite();
    const browser = new Browser(neighbour);
    await browser.leave('google');
    expect(refusalOf(await browser.comeBack('google', address))).toBe('invalid_state');
    await neighbour.close();
  });

  it('is over after ten minutes', async () => {
    const { comeBack } = await onTheWayBack();
    const [attempt] = await site.sql<{ seconds: number }>(
      'SELECT max(extract(epoch FROM expires_at - now()))::float AS seconds FROM login_attempts',
    );
    expect(attempt?.seconds).toBeGreaterThan(540);
    expect(attempt?.seconds).toBeLessThanOrEqual(600);
    await remember("expires_at = now() - interval '1 second'");
    expect(refusalOf(await comeBack())).toBe('invalid_state');
  });

  it.each([
    [
      'a code that was got with another PKCE verifier',
      `kept = kept::jsonb || '{"verifier": "${'x'.repeat(43)}"}'`,
    ],
    ['an id token for another login', `kept = kept::jsonb || '{"nonce": "another"}'`],
  ])('is closed to %s', async (_case, change) => {
    const { comeBack } = await onTheWayBack();
    await remember(change);
    const answer = await comeBack();
    expect([refusalOf(answer), sessionOf(answer)]).toEqual(['token_exchange_failed', undefined]);
  });

  it('is closed to a code that is made up, and to the answer of another issuer', async () => {
    const { browser, address } = await onTheWayBack();
    const forged = new URL(address);
    forged.searchParams.set('code', 'made-up');
    expect(refusalOf(await browser.comeBack('google', forged.href))).toBe('token_exchange_failed');
    const other = await onTheWayBack();
    const mixed = new URL(other.address);
    mixed.searchParams.set('iss', 'https://evil.example');
    expect(refusalOf(await other.browser.comeBack('google', mixed.href))).toBe('token_exchange_failed');
  });

  it('from GitHub is closed to another PKCE verifier', async () => {
    const browser = new Browser(site);
    const address = await atGitHub(locationOf(await browser.leave('github')), octo());
    await remember(`kept = '{"verifier": "${'x'.repeat(43)}"}'`);
    expect(refusalOf(await browser.comeBack('github', address))).toBe('token_exchange_failed');
  });

  it.each(['profile', 'huge'] as const)(
    'ends on the login page when the profile cannot be read (%s)',
    async (fault) => {
      expect(refusalOf(await new Browser(site).github(octo({ fault })))).toBe('profile_fetch_failed');
    },
  );

  it('ends there when the account has no primary address', async () => {
    expect(refusalOf(await new Browser(site).github(octo({ emails: [] })))).toBe('profile_fetch_failed');
  });

  /** Comes back from one of the OpenID providers that have a fault. */
  async function fromFaulty(fault: string) {
    const browser = new Browser(site);
    const { searchParams } = new URL(locationOf(await browser.leave(`faulty-${fault}`)));
    const query = { state: String(searchParams.get('state')), code: String(searchParams.get('nonce')) };
    return refusalOf(await browser.comeBack(`faulty-${fault}`, query));
  }

  it.each(['audience', 'signature', 'issuer'])('is closed to an id token with a wrong %s', async (fault) =>
    expect(await fromFaulty(fault)).toBe('token_exchange_failed'),
  );

  it('ends on the login page when the provider does not answer', async () => {
    expect(await fromFaulty('slow')).toBe('token_exchange_failed');
  });

  it('is open to an id token without fault, so that the cases above are about their faults', async () => {
    expect(await fromFaulty('none')).toBe('signup_not_allowed');
  });

  it('leads nowhere with secrets or addresses in it', async () => {
    const { browser, address } = await onTheWayBack();
    await remember(`kept = kept::jsonb || '{"nonce": "another"}'`);
    const location = locationOf(await browser.comeBack('google', address));
    const { searchParams } = new URL(address);
    for (const secret of [searchParams.get('code'), searchParams.get('state'), ann().email, '@'])
      expect(location).not.toContain(secret);
    expect(new URL(location, 'http://a.example').searchParams.get('message')).toBe(
      'Google did not confirm the login',
    );
  });
});
