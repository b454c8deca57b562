import { beforeAll, describe, expect, it } from '@jest/globals';
import { cookieOf, useSite, type ApiResponse, type Client, type Site } from '@quire/testing';
import {
  atOpenIdProvider,
  Browser,
  locationOf,
  loginErrorOf,
  onNewSite,
  sessionOf,
  stateOf,
} from './support.js';

const me = async (at: Site, response: ApiResponse) =>
  (await at.withSession(sessionOf(response) ?? '').get('/auth/me')).data;
const links = (at: Site, provider: string) =>
  at.sql('SELECT account_id FROM login_accounts WHERE provider = $1', [provider]);

describe('invitation with a login provider (contract 28)', () => {
  const site = useSite();
  let admin: Client;
  beforeAll(async () => {
    admin = await site.as('admin');
  });

  const addressOf = (name: string) => `${name}@guests.example`;
  const account = (name: string) => ({ sub: name, email: addressOf(name), email_verified: true, name });

  /** Sends an invitation. @returns the token of the mailed link */
  async function invite(name: string, role = 40): Promise<string> {
    const before = (await site.mailsTo(addressOf(name), 0)).length;
    await admin.post('/auth/invite', { email: addressOf(name), role });
    const mail = (await site.mailsTo(addressOf(name), before + 1)).at(-1);
    return new URL(mail?.link ?? '').searchParams.get('token') ?? '';
  }

  const isOpen = async (token: string) =>
    (await site.anonymous().get(`/auth/invite/accept?token=${token}`)).status === 200;

  it('creates a user with the invited role and is consumed', async () => {
    const token = await invite('ann');
    const response = await new Browser(site).google(account('ann'), { invite: token });
    expect(locationOf(response)).toBe('/_cms/admin');
    const user = await me(site, response);
    expect(user).toMatchObject({ email: addressOf('ann'), name: 'ann', role: 40 });
    expect(await isOpen(token)).toBe(false);
    const events = await site.sql('SELECT action, details FROM audit_log WHERE user_id = $1 ORDER BY id', [
      user.id,
    ]);
    expect(events).toEqual([
      { action: 'user.created', details: { role: 40, method: 'provider:google' } },
      { action: 'session.opened', details: { method: 'provider:google' } },
    ]);
    expect(await me(site, await new Browser(site).google(account('ann')))).toMatchObject({ id: user.id });
  });

  it('requires the invited, verified address and stays valid after a failure', async () => {
    const token = await invite('bea');
    const browser = new Browser(site);
    expect(loginErrorOf(await browser.google(account('other'), { invite: token }))).toBe(
      'invite_email_mismatch',
    );
    const unverified = { ...account('bea'), email_verified: false };
    expect(loginErrorOf(await browser.google(unverified, { invite: token }))).toBe('invite_email_unverified');
    expect(await isOpen(token)).toBe(true);
    expect(sessionOf(await browser.google(account('bea'), { invite: token }))).toBeDefined();
  });

  it('returns invite_invalid before the redirect for an unknown or expired invitation', async () => {
    const late = await invite('late');
    await site.sql("UPDATE invites SET expires_at = now() - interval '1 hour' WHERE email = $1", [
      addressOf('late'),
    ]);
    for (const token of ['unknown', '', late])
      expect(loginErrorOf(await new Browser(site).leave('google', { invite: token }))).toBe('invite_invalid');
  });

  it('returns invite_invalid when it was replaced during the login', async () => {
    const token = await invite('slow');
    const browser = new Browser(site);
    const address = await atOpenIdProvider(
      locationOf(await browser.leave('google', { invite: token })),
      account('slow'),
    );
    await invite('slow');
    expect(loginErrorOf(await browser.returnFromProvider('google', address))).toBe('invite_invalid');
  });

  it('signs in to an existing account and stays valid', async () => {
    const token = await invite('new');
    await site.another('author', 'old');
    const old = { sub: 'old', email: `old@${site.tenant}.example`, email_verified: true };
    const response = await new Browser(site).google(old, { invite: token });
    expect(await me(site, response)).toMatchObject({ email: old.email, role: 30 });
    expect(await isOpen(token)).toBe(true);
  });

  it('identifies an account without an address', async () => {
    const token = await invite('did');
    const response = await new Browser(site).handle('did', { invite: token });
    expect(await me(site, response)).toMatchObject({ email: addressOf('did'), name: 'did', role: 40 });
    expect(await links(site, 'handle')).toEqual([{ account_id: 'did:example:did' }]);
    expect(await me(site, await new Browser(site).handle('did'))).toMatchObject({ email: addressOf('did') });
    expect(loginErrorOf(await new Browser(site).handle('stranger'))).toBe('signup_not_allowed');
  });

  it('does not link an account without an address to a user created during the login', async () => {
    const token = await invite('taken');
    await site.sql("INSERT INTO users (id, email, role) VALUES ('taken', $1, 50)", [addressOf('taken')]);
    const response = await new Browser(site).handle('thief', { invite: token });
    expect([loginErrorOf(response), sessionOf(response)]).toEqual(['invite_invalid', undefined]);
  });

  it('creates one user for concurrent logins', async () => {
    const token = await invite('crowd');
    // All logins start before the first callback, because the invitation is open until then.
    const logins = [new Browser(site), new Browser(site), new Browser(site)].map(async (browser) => {
      const response = await browser.leave('handle', { handle: 'crowd', invite: token });
      return { browser, state: stateOf(locationOf(response)) };
    });
    const responses = await Promise.all(
      (await Promise.all(logins)).map(({ browser, state }) =>
        browser.returnFromProvider('handle', { code: 'any', state }),
      ),
    );
    expect(responses.map(sessionOf)).toEqual(Array(3).fill(expect.any(String)));
    expect(await site.sql('SELECT id FROM users WHERE email = $1', [addressOf('crowd')])).toHaveLength(1);
  });
});

describe('first user with a login provider (document 1, Login methods 4 and 5; contract 26)', () => {
  const ann = { sub: 'ann', email: 'Ann@site.example', email_verified: true, name: 'Ann' };
  const nameSite = (site: Site) =>
    site
      .anonymous()
      .post('/setup', { title: 'My site', includeContent: false }, { headers: { cookie: site.setupCookie } });
  /** A browser that has opened the setup link. */
  const setupBrowser = (site: Site) =>
    new Browser(site).setCookie('cms_setup_link', site.setupCookie.split('=')[1] ?? '');
  const users = (site: Site) => site.sql('SELECT email, name, role, email_verified FROM users');

  /** Enters an address in the setup. @returns the browser */
  async function inSetup(site: Site, email: string, name?: string): Promise<Browser> {
    const headers = { cookie: site.setupCookie };
    const response = await site.anonymous().post('/setup/admin', { email, name }, { headers });
    return setupBrowser(site).setCookie('cms_setup_nonce', String(cookieOf(response, 'cms_setup_nonce')));
  }

  it('becomes an Admin and completes the setup', () =>
    onNewSite(async (site) => {
      await nameSite(site);
      const response = await setupBrowser(site).google(ann);
      expect(await me(site, response)).toMatchObject({ email: 'ann@site.example', name: 'Ann', role: 50 });
      expect(await users(site)).toEqual([
        { email: 'ann@site.example', name: 'Ann', role: 50, email_verified: true },
      ]);
      expect((await site.anonymous().get('/setup/status')).data).toEqual({ needsSetup: false });
      const late = { ...ann, sub: 'bob', email: 'bob@site.example' };
      expect(loginErrorOf(await new Browser(site).google(late))).toBe('signup_not_allowed');
      expect(
        await site.sql(`SELECT action, details FROM audit_log WHERE action ~ '^(user|session)' ORDER BY id`),
      ).toEqual([
        { action: 'user.created', details: { role: 50, method: 'provider:google' } },
        { action: 'session.opened', details: { method: 'provider:google' } },
        { action: 'session.refused', details: { method: 'provider:google', reason: 'signup_not_allowed' } },
      ]);
    }));

  it('returns invalid_state until the site has a title', () =>
    onNewSite(async (site) => {
      expect(loginErrorOf(await setupBrowser(site).google(ann))).toBe('invalid_state');
      expect(await users(site)).toEqual([]);
    }));

  it('gets the address and name of the setup, verified if the provider confirms the address', () =>
    onNewSite(async (site) => {
      await nameSite(site);
      const browser = await inSetup(site, 'other@site.example', 'Ann Other');
      expect(sessionOf(await browser.google(ann))).toBeDefined();
      expect(await users(site)).toEqual([
        { email: 'other@site.example', name: 'Ann Other', role: 50, email_verified: false },
      ]);
    }));

  it('needs an address from the setup when the account has none', () =>
    onNewSite(async (site) => {
      await nameSite(site);
      expect(loginErrorOf(await setupBrowser(site).handle('ann'))).toBe('invalid_state');
      const browser = await inSetup(site, 'ann@site.example');
      expect(sessionOf(await browser.handle('ann'))).toBeDefined();
      expect(await users(site)).toEqual([
        { email: 'ann@site.example', name: 'ann', role: 50, email_verified: false },
      ]);
    }));

  it('creates one user for concurrent logins', () =>
    onNewSite(async (site) => {
      await nameSite(site);
      const accounts = ['a', 'b', 'c', 'd'].map((name) => ({
        ...ann,
        sub: name,
        email: `${name}@site.example`,
      }));
      const responses = await Promise.all(accounts.map((account) => setupBrowser(site).google(account)));
      expect(responses.filter(sessionOf)).toHaveLength(1);
      expect(responses.filter((response) => loginErrorOf(response) === 'signup_not_allowed')).toHaveLength(3);
      expect(await users(site)).toHaveLength(1);
      expect(await links(site, 'google')).toHaveLength(1);
    }));
});
