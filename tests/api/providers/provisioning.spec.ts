import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cookieOf, openSite, type ApiResponse, type Client, type Site } from '@quire/testing';
import { atOpenIdProvider, Browser, locationOf, loginErrorOf, sessionOf, stateOf } from './support.js';

const me = async (at: Site, answer: ApiResponse) =>
  (await at.withSession(sessionOf(answer) ?? '').get('/auth/me')).data;
const links = (at: Site, provider: string) =>
  at.sql('SELECT account_id FROM login_accounts WHERE provider = $1', [provider]);

describe('an invitee with a login provider (contract 28)', () => {
  let site: Site;
  let admin: Client;
  beforeAll(async () => {
    site = await openSite();
    admin = await site.as('admin');
  });
  afterAll(() => site.close());

  const addressOf = (name: string) => `${name}@guests.example`;
  const account = (name: string) => ({ sub: name, email: addressOf(name), email_verified: true, name });

  /** Invites somebody; @returns the token of the mailed link. */
  async function invite(name: string, role = 40): Promise<string> {
    const before = (await site.mailsTo(addressOf(name), 0)).length;
    await admin.post('/auth/invite', { email: addressOf(name), role });
    const mail = (await site.mailsTo(addressOf(name), before + 1)).at(-1);
    return new URL(mail?.link ?? '').searchParams.get('token') ?? '';
  }

  const isOpen = async (token: string) =>
    (await site.anonymous().get(`/auth/invite/accept?token=${token}`)).status === 200;

  it('gets a user with the role of the invitation, which is consumed', async () => {
    const token = await invite('ann');
    const answer = await new Browser(site).google(account('ann'), { invite: token });
    expect(locationOf(answer)).toBe('/_cms/admin');
    const user = await me(site, answer);
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

  it('needs the invited address, verified; a failure leaves the invitation valid', async () => {
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

  it('is not redirected to the provider with an unknown, expired or used invitation', async () => {
    const late = await invite('late');
    await site.sql("UPDATE invites SET expires_at = now() - interval '1 hour' WHERE email = $1", [
      addressOf('late'),
    ]);
    for (const token of ['unknown', '', late])
      expect(loginErrorOf(await new Browser(site).leave('google', { invite: token }))).toBe('invite_invalid');
  });

  it('fails when the invitation was withdrawn during the login', async () => {
    const token = await invite('slow');
    const browser = new Browser(site);
    const address = await atOpenIdProvider(
      locationOf(await browser.leave('google', { invite: token })),
      account('slow'),
    );
    await invite('slow');
    expect(loginErrorOf(await browser.returnFromProvider('google', address))).toBe('invite_invalid');
  });

  it('signs in to an existing account and leaves the invitation valid', async () => {
    const token = await invite('new');
    await site.another('author', 'old');
    const old = { sub: 'old', email: `old@${site.tenant}.example`, email_verified: true };
    const answer = await new Browser(site).google(old, { invite: token });
    expect(await me(site, answer)).toMatchObject({ email: old.email, role: 30 });
    expect(await isOpen(token)).toBe(true);
  });

  it('without an address is identified by the link', async () => {
    const token = await invite('did');
    const answer = await new Browser(site).handle('did', { invite: token });
    expect(await me(site, answer)).toMatchObject({ email: addressOf('did'), name: 'did', role: 40 });
    expect(await links(site, 'handle')).toEqual([{ account_id: 'did:example:did' }]);
    expect(await me(site, await new Browser(site).handle('did'))).toMatchObject({ email: addressOf('did') });
    expect(loginErrorOf(await new Browser(site).handle('stranger'))).toBe('signup_not_allowed');
  });

  it('without an address does not take over a user created meanwhile', async () => {
    const token = await invite('taken');
    await site.sql("INSERT INTO users (id, email, role) VALUES ('taken', $1, 50)", [addressOf('taken')]);
    const answer = await new Browser(site).handle('thief', { invite: token });
    expect([loginErrorOf(answer), sessionOf(answer)]).toEqual(['invite_invalid', undefined]);
  });

  it('is created once for concurrent logins', async () => {
    const token = await invite('crowd');
    // All are on their way before the first is back: the invitation is open until then.
    const away = [new Browser(site), new Browser(site), new Browser(site)].map(async (browser) => {
      const answer = await browser.leave('handle', { handle: 'crowd', invite: token });
      return { browser, state: stateOf(locationOf(answer)) };
    });
    const answers = await Promise.all(
      (await Promise.all(away)).map(({ browser, state }) =>
        browser.returnFromProvider('handle', { code: 'any', state }),
      ),
    );
    expect(answers.map(sessionOf)).toEqual(Array(3).fill(expect.any(String)));
    expect(await site.sql('SELECT id FROM users WHERE email = $1', [addressOf('crowd')])).toHaveLength(1);
  });
});

describe('the first user with a login provider (document 1, Login methods 4 and 5; contract 26)', () => {
  const ann = { sub: 'ann', email: 'Ann@site.example', email_verified: true, name: 'Ann' };
  const nameSite = (site: Site) =>
    site
      .anonymous()
      .post('/setup', { title: 'My site', includeContent: false }, { headers: { cookie: site.setupCookie } });
  /** A browser that has opened the setup link. */
  const setupBrowser = (site: Site) =>
    new Browser(site).keep('cms_setup_link', site.setupCookie.split('=')[1] ?? '');
  const users = (site: Site) => site.sql('SELECT email, name, role, email_verified FROM users');

  /** Says an address in the setup; @returns the browser that did. */
  async function inSetup(site: Site, email: string, name?: string): Promise<Browser> {
    const headers = { cookie: site.setupCookie };
    const answer = await site.anonymous().post('/setup/admin', { email, name }, { headers });
    return setupBrowser(site).keep('cms_setup_nonce', String(cookieOf(answer, 'cms_setup_nonce')));
  }

  async function onNewSite(work: (site: Site) => Promise<void>): Promise<void> {
    const site = await openSite();
    await work(site);
    await site.close();
  }

  it('becomes an Admin and completes the setup', () =>
    onNewSite(async (site) => {
      await nameSite(site);
      const answer = await setupBrowser(site).google(ann);
      expect(await me(site, answer)).toMatchObject({ email: 'ann@site.example', name: 'Ann', role: 50 });
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

  it('waits until the site has its title', () =>
    onNewSite(async (site) => {
      expect(loginErrorOf(await setupBrowser(site).google(ann))).toBe('invalid_state');
      expect(await users(site)).toEqual([]);
    }));

  it('gets the address and name of the setup, verified if the provider confirms the address', () =>
    onNewSite(async (site) => {
      await nameSite(site);
      const browser = await inSetup(site, 'other@site.example', 'Somebody');
      expect(sessionOf(await browser.google(ann))).toBeDefined();
      expect(await users(site)).toEqual([
        { email: 'other@site.example', name: 'Somebody', role: 50, email_verified: false },
      ]);
    }));

  it('needs an address from the setup when accounts have none', () =>
    onNewSite(async (site) => {
      await nameSite(site);
      expect(loginErrorOf(await setupBrowser(site).handle('ann'))).toBe('invalid_state');
      const browser = await inSetup(site, 'ann@site.example');
      expect(sessionOf(await browser.handle('ann'))).toBeDefined();
      expect(await users(site)).toEqual([
        { email: 'ann@site.example', name: 'ann', role: 50, email_verified: false },
      ]);
    }));

  it('is created once for concurrent logins', () =>
    onNewSite(async (site) => {
      await nameSite(site);
      const comers = ['a', 'b', 'c', 'd'].map((name) => ({
        ...ann,
        sub: name,
        email: `${name}@site.example`,
      }));
      const answers = await Promise.all(comers.map((comer) => setupBrowser(site).google(comer)));
      expect(answers.filter(sessionOf)).toHaveLength(1);
      expect(answers.filter((answer) => loginErrorOf(answer) === 'signup_not_allowed')).toHaveLength(3);
      expect(await users(site)).toHaveLength(1);
      expect(await links(site, 'google')).toHaveLength(1);
    }));
});
