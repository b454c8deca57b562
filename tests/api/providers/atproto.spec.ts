import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  completeLogin,
  cookieOf,
  FakeAtproto,
  openSite,
  testSystem,
  useSite,
  type ApiResponse,
} from '@quire/testing';
import { Browser, locationOf, loginErrorOf, sessionOf } from './support.js';

// The system under test allows handles that end in .people.test. Over http, AT Protocol logins work only on the
// developer's machine: the site is opened as localhost, and the redirect of the provider goes to 127.0.0.1.
const own = '/_cms/api/auth/oauth/atproto';
const ann = { did: 'did:plc:annannannannannannannann', handle: 'ann.people.test' };
const bob = { did: 'did:web:bob.people.test', handle: 'bob.people.test' };
const eve = { did: 'did:plc:eveeveeveeveeveeveeveeve', handle: 'eve.test' };

const { atprotoPort } = testSystem();
const loopback = `127.0.0.1:${atprotoPort}`;
const site = useSite({ hosts: [`localhost:${atprotoPort}`, loopback] });
let fake: FakeAtproto;
beforeAll(async () => {
  fake = await FakeAtproto.start(atprotoPort);
  for (const account of [ann, bob, eve]) fake.addAccount(account);
  const headers = { cookie: site.setupCookie };
  await site.anonymous().post('/setup', { title: 'My site', includeContent: false }, { headers });
});
afterEach(() => {
  fake.misbehaviour = {};
});
afterAll(() => fake.stop());

/** Signs in at the server of the account. @returns the address of the callback at localhost */
async function atAuthorizationServer(redirect: ApiResponse): Promise<string> {
  const { search } = await completeLogin(
    fake.network(),
    locationOf(redirect),
    `http://${loopback}${own}/loopback`,
  );
  const passed = await site.anonymous(loopback).get(`${own}/loopback${search}`);
  const address = locationOf(passed);
  expect(address.split('?')[0]).toBe(`http://${site.host}${own}/callback`);
  return address;
}

async function signIn(handle: string, browser = new Browser(site), query = {}): Promise<ApiResponse> {
  const redirect = await browser.leave('atproto', { handle, ...query });
  return browser.returnFromProvider('atproto', await atAuthorizationServer(redirect));
}

const me = async (response: ApiResponse) =>
  (await site.withSession(sessionOf(response) ?? '').get('/auth/me')).data;

describe('sign-in with an AT Protocol account (document 1, Login methods 4)', () => {
  it('creates the first user, identified by the DID', async () => {
    const headers = { cookie: site.setupCookie };
    const started = await site.anonymous().post('/setup/admin', { email: 'ann@site.example' }, { headers });
    const browser = new Browser(site)
      .setCookie('cms_setup_nonce', String(cookieOf(started, 'cms_setup_nonce')))
      .setCookie('cms_setup_link', site.setupCookie.split('=')[1] ?? '');
    const response = await signIn(`@${ann.handle}`, browser);
    expect(locationOf(response)).toBe('/_cms/admin');
    const user = await me(response);
    expect(user).toMatchObject({ email: 'ann@site.example', name: ann.handle, role: 50 });
    expect(await site.sql('SELECT provider, account_id, email FROM login_accounts')).toEqual([
      { provider: 'atproto', account_id: ann.did, email: null },
    ]);
    expect(await me(await signIn(ann.did))).toMatchObject({ id: user.id });
  });

  it('recognises the account under another handle', async () => {
    const before = await me(await signIn(ann.handle));
    fake.addAccount({ did: ann.did, handle: 'renamed.people.test' });
    expect(await me(await signIn('renamed.people.test'))).toMatchObject({ id: before.id });
    fake.addAccount(ann);
  });

  it('creates no user without an invitation', async () => {
    expect(loginErrorOf(await signIn(bob.handle))).toBe('signup_not_allowed');
  });

  it('creates a user from an invitation', async () => {
    const email = 'bob@guests.example';
    const admin = await site.as('admin');
    await admin.post('/auth/invite', { email, role: 30 });
    const [mail] = await site.mailsTo(email, 1);
    const invite = new URL(mail?.link ?? '').searchParams.get('token') ?? '';
    const response = await signIn(bob.did, new Browser(site), { invite });
    expect(await me(response)).toMatchObject({ email, name: bob.handle, role: 30 });
  });

  it('is rejected before the redirect when the account is not allowed', async () => {
    const redirect = await new Browser(site).leave('atproto', { handle: eve.handle });
    expect(loginErrorOf(redirect)).toBe('signup_not_allowed');
  });

  it('is rejected in the callback when the account is no longer allowed', async () => {
    const browser = new Browser(site);
    const address = await atAuthorizationServer(await browser.leave('atproto', { handle: ann.handle }));
    fake.addAccount({ ...ann, claims: eve.handle });
    expect(loginErrorOf(await browser.returnFromProvider('atproto', address))).toBe('signup_not_allowed');
    fake.addAccount(ann);
  });

  it.each([
    ['no handle', ''],
    ['an unknown handle', 'nobody.people.test'],
    ['an address in the internal network', 'did:web:inside.dev'],
  ])('reports an error when started with %s', async (_, handle) => {
    const redirect = await new Browser(site).leave('atproto', { handle });
    expect(loginErrorOf(redirect)).toBe('oauth_error');
    expect(new URL(locationOf(redirect), 'http://a.example').searchParams.get('message')).toMatch(
      /^[A-Z].+\.$/,
    );
  });

  it('is rejected when the user declines or the server confirms another account', async () => {
    fake.misbehaviour = { denies: true };
    expect(loginErrorOf(await signIn(ann.handle))).toBe('oauth_denied');
    fake.misbehaviour = { subject: bob.did };
    expect(loginErrorOf(await signIn(ann.handle))).toBe('profile_fetch_failed');
  });

  it('accepts a callback once, in the same browser, for 10 minutes', async () => {
    const browser = new Browser(site);
    const start = async () => atAuthorizationServer(await browser.leave('atproto', { handle: ann.handle }));
    const address = await start();
    expect(loginErrorOf(await new Browser(site).returnFromProvider('atproto', address))).toBe(
      'invalid_state',
    );
    expect(sessionOf(await browser.returnFromProvider('atproto', address))).toBeDefined();
    expect(loginErrorOf(await browser.returnFromProvider('atproto', address))).toBe('invalid_state');
    const late = await start();
    await site.sql("UPDATE login_attempts SET expires_at = now() - interval '1 second'");
    expect(loginErrorOf(await browser.returnFromProvider('atproto', late))).toBe('invalid_state');
  });

  it('requires https except on localhost', async () => {
    const elsewhere = await openSite();
    const redirect = await new Browser(elsewhere).leave('atproto', { handle: ann.handle });
    expect(locationOf(redirect)).toContain('https');
    expect(loginErrorOf(redirect)).toBe('oauth_error');
    await elsewhere.close();
  });
});
