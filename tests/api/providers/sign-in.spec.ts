import { beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, useSite, type Client } from '@quire/testing';
import { Browser, locationOf, loginErrorOf, sessionOf, type GitHubAccount } from './support.js';

const site = useSite();
let admin: Client;
beforeAll(async () => {
  admin = await site.as('admin');
});

const addressOf = (name: string) => `${name}@${site.tenant}.example`;
const userOf = async (email: string) => (await site.sql('SELECT * FROM users WHERE email = $1', [email]))[0];
const me = async (session: string | undefined) =>
  (await site.withSession(session ?? '').get('/auth/me')).data;
const gitHubAccount = (id: number, email: string, verified = true): GitHubAccount => ({
  user: { id, login: `octo${id}`, name: null },
  emails: [
    { email: 'second@elsewhere.example', primary: false, verified: true },
    { email, primary: true, verified },
  ],
});

describe('sign-in with a login provider (document 1, Login methods 4; contract 29)', () => {
  it('signs in the user with the verified address and links the account', async () => {
    const email = addressOf('ann');
    await site.another('author', 'ann');
    const first = await new Browser(site).google({
      sub: 'ann',
      email: email.toUpperCase(),
      email_verified: true,
    });
    expect([first.status, locationOf(first)]).toEqual([302, '/_cms/admin']);
    expect(first.headers.get('set-cookie')).toMatch(/cms_session=[\w-]{43}; .*HttpOnly; SameSite=Lax/);
    expect(await me(sessionOf(first))).toMatchObject({ email, role: 30 });
    expect(await userOf(email)).toMatchObject({ email_verified: true });

    const changed = { sub: 'ann', email: 'ann@elsewhere.example', email_verified: false };
    const again = await new Browser(site).google(changed);
    expect(await me(sessionOf(again))).toMatchObject({ email });
    expect(sessionOf(again)).not.toBe(sessionOf(first));
  });

  it('works with GitHub, by the primary address', async () => {
    const email = addressOf('octo');
    await site.another('editor', 'octo');
    const response = await new Browser(site).github(gitHubAccount(1, email));
    expect(await me(sessionOf(response))).toMatchObject({ email, role: 40 });
  });

  it('redirects to the requested path, only on this site', async () => {
    await site.another('author', 'way');
    const account = { sub: 'way', email: addressOf('way'), email_verified: true };
    const redirected = await new Browser(site).google(account, { redirect: '/_cms/admin/content?x=1' });
    expect(locationOf(redirected)).toBe('/_cms/admin/content?x=1');
    for (const redirect of ['https://evil.example', '//evil.example', '/\\evil.example'])
      expect(locationOf(await new Browser(site).google(account, { redirect }))).toBe('/_cms/admin');
  });

  it('fails for an unverified address', async () => {
    await site.another('admin', 'victim');
    const email = addressOf('victim');
    const openId = await new Browser(site).google({ sub: 'evil', email, email_verified: false });
    const gitHub = await new Browser(site).github(gitHubAccount(666, email, false));
    for (const response of [openId, gitHub]) {
      expect([loginErrorOf(response), sessionOf(response)]).toEqual(['signup_not_allowed', undefined]);
    }
    expect(await site.sql("SELECT id FROM login_accounts WHERE account_id IN ('evil', '666')")).toEqual([]);
  });

  it('fails for a secondary address at GitHub', async () => {
    await site.another('author', 'second');
    const account = gitHubAccount(2, 'primary@elsewhere.example');
    account.emails.push({ email: addressOf('second'), primary: false, verified: true });
    expect(loginErrorOf(await new Browser(site).github(account))).toBe('signup_not_allowed');
  });

  it('does not mix up accounts of different providers', async () => {
    await site.another('author', 'same');
    await new Browser(site).google({ sub: '77', email: addressOf('same'), email_verified: true });
    expect(loginErrorOf(await new Browser(site).github(gitHubAccount(77, 'other@elsewhere.example')))).toBe(
      'signup_not_allowed',
    );
  });

  it('fails for a disabled user, by account or address', async () => {
    await site.another('author', 'disabled');
    const account = { sub: 'disabled', email: addressOf('disabled'), email_verified: true };
    expect(sessionOf(await new Browser(site).google(account))).toBeDefined();
    const id = (await userOf(addressOf('disabled')))?.['id'];
    await admin.post(`/admin/users/${String(id)}/disable`);
    const known = await new Browser(site).google(account);
    const unknown = await new Browser(site).github(gitHubAccount(3, addressOf('disabled')));
    for (const response of [known, unknown])
      expect([loginErrorOf(response), sessionOf(response)]).toEqual(['user_not_found', undefined]);
    expect(await site.sql("SELECT id FROM login_accounts WHERE account_id = '3'")).toEqual([]);
    const { items } = (await admin.get(`/admin/audit-log?action=session.refused&user=${String(id)}`)).data;
    expect(items.map(({ details }: { details: object }) => details)).toEqual([
      { method: 'provider:github', reason: 'user_not_found' },
      { method: 'provider:google', reason: 'user_not_found' },
    ]);
  });

  it('fails after the user was deleted and does not recreate them', async () => {
    await site.another('author', 'leaving');
    const account = { sub: 'leaving', email: addressOf('leaving'), email_verified: true };
    await new Browser(site).google(account);
    await site.sql('DELETE FROM users WHERE email = $1', [addressOf('leaving')]);
    expect(loginErrorOf(await new Browser(site).google(account))).toBe('signup_not_allowed');
  });

  it('links one account once for concurrent logins', async () => {
    await site.another('author', 'crowd');
    const account = { sub: 'crowd', email: addressOf('crowd'), email_verified: true };
    const responses = await Promise.all([1, 2, 3, 4].map(() => new Browser(site).google(account)));
    expect(responses.map(sessionOf)).toEqual(Array(4).fill(expect.any(String)));
    expect(await site.sql("SELECT id FROM login_accounts WHERE account_id = 'crowd'")).toHaveLength(1);
  });

  it('is visible in GET /admin/users and audited', async () => {
    await site.another('author', 'seen');
    await new Browser(site).google({ sub: 'seen', email: addressOf('seen'), email_verified: true });
    await new Browser(site).github(gitHubAccount(4, addressOf('seen')));
    const id = String((await userOf(addressOf('seen')))?.['id']);
    const { item } = (await admin.get(`/admin/users/${id}`)).data;
    expect(item.oauthAccounts).toEqual([
      { provider: 'google', createdAt: expect.any(String) },
      { provider: 'github', createdAt: expect.any(String) },
    ]);
    const { items } = (await admin.get(`/admin/users?search=${encodeURIComponent(addressOf('seen'))}`)).data;
    expect(items[0]).toMatchObject({ credentialCount: 0, oauthProviders: ['github', 'google'] });
    const events = await site.sql('SELECT action, details FROM audit_log WHERE user_id = $1 ORDER BY id', [
      id,
    ]);
    expect(events.filter(({ action }) => action !== 'token.created')).toEqual([
      { action: 'credential.added', details: { kind: 'provider' } },
      { action: 'session.opened', details: { method: 'provider:google' } },
      { action: 'credential.added', details: { kind: 'provider' } },
      { action: 'session.opened', details: { method: 'provider:github' } },
    ]);
  });

  it('does not sign in at another site', async () => {
    await site.another('author', 'here');
    const account = { sub: 'here', email: addressOf('here'), email_verified: true };
    await new Browser(site).google(account);
    const other = await openSite();
    await other.as('admin');
    expect(loginErrorOf(await new Browser(other).google(account))).toBe('signup_not_allowed');
    await other.close();
  });
});

describe('sign-in with an address of an allowed domain', () => {
  it('creates a user with the role of the domain for a verified address', async () => {
    await admin.post('/admin/allowed-domains', { domain: 'house.example', defaultRole: 20 });
    const unverified = { sub: 'new', email: 'new@house.example', email_verified: false, name: ' New One ' };
    expect(loginErrorOf(await new Browser(site).google(unverified))).toBe('signup_not_allowed');
    const response = await new Browser(site).google({ ...unverified, email_verified: true });
    expect(await me(sessionOf(response))).toMatchObject({
      email: 'new@house.example',
      role: 20,
      name: 'New One',
    });
    const { id, email_verified } = (await userOf('new@house.example')) ?? {};
    expect(email_verified).toBe(true);
    expect(
      await site.sql('SELECT action, details FROM audit_log WHERE user_id = $1 ORDER BY id', [id]),
    ).toEqual([
      { action: 'user.created', details: { role: 20, method: 'provider:google' } },
      { action: 'session.opened', details: { method: 'provider:google' } },
    ]);
  });

  it('creates one user for concurrent logins with different providers', async () => {
    const email = 'many@house.example';
    const account = { sub: 'many', email, email_verified: true };
    const responses = await Promise.all([
      new Browser(site).google(account),
      new Browser(site).google(account),
      new Browser(site).github(gitHubAccount(5, email)),
      new Browser(site).github(gitHubAccount(5, email)),
    ]);
    expect(responses.map(sessionOf)).toEqual(Array(4).fill(expect.any(String)));
    const { id } = (await userOf(email)) ?? {};
    const links = await site.sql('SELECT provider FROM login_accounts WHERE user_id = $1 ORDER BY provider', [
      id,
    ]);
    expect(links).toEqual([{ provider: 'github' }, { provider: 'google' }]);
  });

  it('creates no user once the domain is disabled', async () => {
    await admin.put('/admin/allowed-domains/house.example', { enabled: false });
    const late = { sub: 'late', email: 'late@house.example', email_verified: true };
    expect(loginErrorOf(await new Browser(site).google(late))).toBe('signup_not_allowed');
  });
});
