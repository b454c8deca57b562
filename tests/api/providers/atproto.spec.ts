import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  cookieOf,
  FakeAtproto,
  openSite,
  testSystem,
  completeLogin,
  type ApiResponse,
  type Site,
} from '@quire/testing';
import { Browser, locationOf, loginErrorOf, sessionOf } from './support.js';

// The system under test lets in whose handle ends in .people.test. Its sites are reached over http, so they are those
// of a developer's machine here: opened as localhost, while the way back leads over 127.0.0.1.
const own = '/_cms/api/auth/oauth/atproto';
const ann = { did: 'did:plc:annannannannannannannann', handle: 'ann.people.test' };
const bob = { did: 'did:web:bob.people.test', handle: 'bob.people.test' };
const eve = { did: 'did:plc:eveeveeveeveeveeveeveeve', handle: 'eve.test' };

let fake: FakeAtproto;
let site: Site;
let loopback: string;
beforeAll(async () => {
  const { atprotoPort } = testSystem();
  fake = await FakeAtproto.start(atprotoPort);
  for (const account of [ann, bob, eve]) fake.addAccount(account);
  loopback = `127.0.0.1:${atprotoPort}`;
  site = await openSite(testSystem(), { hosts: [`localhost:${atprotoPort}`, loopback] });
  const headers = { cookie: site.setupCookie };
  await site.anonymous().post('/setup', { title: 'My site', includeContent: false }, { headers });
});
afterEach(() => {
  fake.misbehaviour = {};
});
afterAll(async () => {
  await site.close();
  await fake.stop();
});

/** What somebody does at the server of the account. @returns the address at which the browser is back at localhost. */
async function atAuthorizationServer(left: ApiResponse): Promise<string> {
  const { search } = await completeLogin(
    fake.network(),
    locationOf(left),
    `http://${loopback}${own}/loopback`,
  );
  const passed = await site.anonymous(loopback).get(`${own}/loopback${search}`);
  const address = locationOf(passed);
  expect(address.split('?')[0]).toBe(`http://${site.host}${own}/callback`);
  return address;
}

async function signIn(handle: string, browser = new Browser(site), query = {}): Promise<ApiResponse> {
  const left = await browser.leave('atproto', { handle, ...query });
  return browser.returnFromProvider('atproto', await atAuthorizationServer(left));
}

const me = async (answer: ApiResponse) =>
  (await site.withSession(sessionOf(answer) ?? '').get('/auth/me')).data;

describe('signing in with an AT Protocol account (document 1, Login methods 4)', () => {
  it('creates the first user, identified by the DID', async () => {
    const headers = { cookie: site.setupCookie };
    const started = await site.anonymous().post('/setup/admin', { email: 'ann@site.example' }, { headers });
    const browser = new Browser(site)
      .keep('cms_setup_nonce', String(cookieOf(started, 'cms_setup_nonce')))
      .keep('cms_setup_link', site.setupCookie.split('=')[1] ?? '');
    const answer = await signIn(`@${ann.handle}`, browser);
    expect(locationOf(answer)).toBe('/_cms/admin');
    const user = await me(answer);
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
    const answer = await signIn(bob.did, new Browser(site), { invite });
    expect(await me(answer)).toMatchObject({ email, name: bob.handle, role: 30 });
  });

  it('is rejected before the redirect when the account is not on the list', async () => {
    const left = await new Browser(site).leave('atproto', { handle: eve.handle });
    expect(loginErrorOf(left)).toBe('signup_not_allowed');
  });

  it('is rejected when the account was removed from the list', async () => {
    const browser = new Browser(site);
    const address = await atAuthorizationServer(await browser.leave('atproto', { handle: ann.handle }));
    fake.addAccount({ ...ann, claims: eve.handle });
    expect(loginErrorOf(await browser.returnFromProvider('atproto', address))).toBe('signup_not_allowed');
    fake.addAccount(ann);
  });

  it.each([
    ['no handle', ''],
    ['a handle that leads nowhere', 'nobody.people.test'],
    ['an address inside', 'did:web:inside.dev'],
  ])('reports an error when started with %s', async (_, handle) => {
    const left = await new Browser(site).leave('atproto', { handle });
    expect(loginErrorOf(left)).toBe('oauth_error');
    expect(new URL(locationOf(left), 'http://a.example').searchParams.get('message')).toMatch(/^[A-Z].+\.$/);
  });

  it('is rejected when the user declines or the server confirms another account', async () => {
    fake.misbehaviour = { denies: true };
    expect(loginErrorOf(await signIn(ann.handle))).toBe('oauth_denied');
    fake.misbehaviour = { subject: bob.did };
    expect(loginErrorOf(await signIn(ann.handle))).toBe('profile_fetch_failed');
  });

  it('works once, in the browser that began it, for ten minutes', async () => {
    const browser = new Browser(site);
    const begin = async () => atAuthorizationServer(await browser.leave('atproto', { handle: ann.handle }));
    const address = await begin();
    expect(loginErrorOf(await new Browser(site).returnFromProvider('atproto', address))).toBe(
      'invalid_state',
    );
    expect(sessionOf(await browser.returnFromProvider('atproto', address))).toBeDefined();
    expect(loginErrorOf(await browser.returnFromProvider('atproto', address))).toBe('invalid_state');
    const late = await begin();
    await site.sql("UPDATE login_attempts SET expires_at = now() - interval '1 second'");
    expect(loginErrorOf(await browser.returnFromProvider('atproto', late))).toBe('invalid_state');
  });

  it('needs https elsewhere than on a developer’s machine', async () => {
    const elsewhere = await openSite();
    const left = await new Browser(elsewhere).leave('atproto', { handle: ann.handle });
    expect(locationOf(left)).toContain('https');
    expect(loginErrorOf(left)).toBe('oauth_error');
    await elsewhere.close();
  });
});
