import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  addPasskey,
  ceremonyOf,
  ceremonyOptionsOf,
  cookieOf,
  eventually,
  openApplication,
  SoftwareAuthenticator,
  statusAndCode,
  useSite,
  type ApiResponse,
  type Client,
} from '@quire/testing';
import { createPasskeyHolder, reauthenticate } from './support.js';

const site = useSite();
let applicationToken: string;

beforeAll(async () => {
  const application = await openApplication(site);
  applicationToken = (await application.tokens(await site.signedIn('admin'), 'admin')).access_token;
});

const required = [403, 'REAUTHENTICATION_REQUIRED'];
/** A session whose sign-in is no longer recent. */
const stale = (name?: string) => site.signedIn('admin', name, 10.1);

type Call = (client: Client) => Promise<ApiResponse>;
/** Each call has a target that does not exist or an invalid body, so that it changes nothing when accepted. */
const withPersonalToken: Record<string, Call> = {
  createInvite: (client) => client.post('/auth/invite', { email: 'none' }),
  updateUser: (client) => client.put('/admin/users/nobody', { role: 50, email: 'x@evil.example' }),
  sendRecoveryLink: (client) => client.post('/admin/users/nobody/send-recovery'),
  createAllowedDomain: (client) => client.post('/admin/allowed-domains', { domain: '-', defaultRole: 50 }),
  updateAllowedDomain: (client) => client.put('/admin/allowed-domains/evil.example', { enabled: true }),
  patchAllowedDomain: (client) => client.patch('/admin/allowed-domains/evil.example', { enabled: true }),
  deleteAllowedDomain: (client) => client.delete('/admin/allowed-domains/evil.example'),
  createOAuthClient: (client) => client.post('/admin/oauth-clients', {}),
  updateOAuthClient: (client) => client.put('/admin/oauth-clients/nothing', { name: 'x' }),
  deleteOAuthClient: (client) => client.delete('/admin/oauth-clients/nothing'),
};
const withSessionOnly: Record<string, Call> = {
  approveOAuthClient: (client) => client.post('/admin/oauth-clients/nothing/approve'),
  createApiToken: (client) => client.post('/admin/api-tokens', {}),
  startAddingPasskey: (client) => client.post('/auth/passkey/register/options'),
  addPasskey: (client) => client.post('/auth/passkey/register/verify', {}),
};
const all = Object.entries({ ...withPersonalToken, ...withSessionOnly });
const rejectedStatuses = [401, 403, 429];

describe('operations that require a recent authentication (decision 58)', () => {
  it.each(all)('%s rejects a session without a recent sign-in', async (_, call) => {
    expect(statusAndCode(await call(await stale()))).toEqual(required);
  });

  it.each(all)('%s accepts a session with a recent sign-in', async (_, call) => {
    expect(rejectedStatuses).not.toContain((await call(await site.signedIn('admin', 'admin', 9))).status);
  });

  it.each(all)('%s rejects the token of an application with the scope admin', async (_, call) => {
    expect(statusAndCode(await call(site.withToken(applicationToken)))).toEqual([403, 'FORBIDDEN']);
  });

  it.each(Object.entries(withPersonalToken))('%s accepts a personal token', async (_, call) => {
    expect(rejectedStatuses).not.toContain((await call(await site.as('admin'))).status);
  });

  it.each(Object.entries(withSessionOnly))('%s rejects a personal token', async (_, call) => {
    expect(statusAndCode(await call(await site.as('admin')))).toEqual([403, 'FORBIDDEN']);
  });

  it('return the same errors as before to callers without the permission', async () => {
    const editor = await site.signedIn('editor', 'editor', 11);
    for (const [, call] of Object.entries(withPersonalToken))
      expect(statusAndCode(await call(editor))).toEqual([403, 'FORBIDDEN']);
  });

  it('are the only ones: other operations accept a session of any age', async () => {
    const client = await stale();
    for (const path of ['/admin/users', '/admin/allowed-domains', '/admin/oauth-clients', '/auth/passkey'])
      expect((await client.get(path)).status).toBe(200);
  });
});

const invite = (client: Client) => client.post('/auth/invite', { email: 'none' });
/** A client with the session cookie of a response. */
const renewed = (response: ApiResponse) => site.withSession(cookieOf(response, 'cms_session') ?? '');

describe('POST /auth/passkey/reauthenticate', () => {
  it('renews the session at once, under another cookie', async () => {
    const { client, key } = await createPasskeyHolder(site, 'ann');
    expect(statusAndCode(await invite(client))).toEqual(required);
    const response = await reauthenticate(site, client, key);
    expect([response.status, response.data]).toEqual([200, { success: true }]);
    const again = renewed(response);
    expect(statusAndCode(await invite(again))).toEqual([400, 'VALIDATION_ERROR']);
    const { items } = (await again.get('/auth/sessions')).data;
    expect(items.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toHaveLength(1);
    const old = await eventually(
      () => client.get('/auth/me'),
      ({ status }) => status !== 200,
    );
    expect(statusAndCode(old)).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('requests the passkeys of the caller, with user verification for administrators', async () => {
    const { client, key } = await createPasskeyHolder(site, 'bea');
    const options = ceremonyOptionsOf(await client.post('/auth/passkey/reauthenticate/options'));
    expect(options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: site.host,
      timeout: 60_000,
      userVerification: 'required',
      allowCredentials: [{ type: 'public-key', id: key.credentialIds[0], transports: ['internal'] }],
    });
    const rejected = await reauthenticate(site, client, key, { isUserVerified: false });
    expect(statusAndCode(rejected)).toEqual([401, 'UNAUTHORIZED']);
    const editor = await site.signedIn('editor', 'ed');
    const plain = new SoftwareAuthenticator();
    await addPasskey(site, editor, plain);
    expect((await reauthenticate(site, editor, plain, { isUserVerified: false })).status).toBe(200);
  });

  it.each([
    ['a page of another site', { origin: 'https://evil.example' }],
    ['no user presence', { isUserPresent: false }],
    ['another challenge', { challenge: 'AAAA' }],
  ])('returns 401 for %s, and does not renew the session', async (_, ceremony) => {
    const { client, key } = await createPasskeyHolder(site, 'cid');
    expect(statusAndCode(await reauthenticate(site, client, key, ceremony))).toEqual([401, 'UNAUTHORIZED']);
    expect(statusAndCode(await invite(client))).toEqual(required);
  });

  it('rejects a passkey of another user, a sign-in challenge, and reuse', async () => {
    const [dan, eve] = [await createPasskeyHolder(site, 'dan'), await createPasskeyHolder(site, 'eve')];
    expect((await reauthenticate(site, dan.client, eve.key)).status).toBe(401);
    const verify = '/auth/passkey/reauthenticate/verify';
    const login = ceremonyOptionsOf(await site.anonymous().post('/auth/passkey/options'));
    const ofLogin = dan.key.logIn(login, ceremonyOf(site));
    expect((await dan.client.post(verify, { credential: ofLogin })).status).toBe(401);
    const options = ceremonyOptionsOf(await dan.client.post('/auth/passkey/reauthenticate/options'));
    const credential = dan.key.logIn(options, ceremonyOf(site));
    const asLogin = await site.anonymous().post('/auth/passkey/verify', { credential });
    expect(asLogin.status).toBe(401);
    const good = await dan.client.post('/auth/passkey/reauthenticate/options');
    const once = dan.key.logIn(ceremonyOptionsOf(good), ceremonyOf(site));
    const first = await dan.client.post(verify, { credential: once });
    expect(first.status).toBe(200);
    expect((await renewed(first).post(verify, { credential: once })).status).toBe(401);
  });

  it('returns REAUTHENTICATION_REQUIRED without a passkey', async () => {
    const client = await stale('fay');
    expect(statusAndCode(await client.post('/auth/passkey/reauthenticate/options'))).toEqual(required);
    const page = await client.get('/_cms/admin/login?again=1&redirect=/_cms/admin');
    expect([page.status, String(page.body)]).toEqual([200, expect.stringContaining('Sign in again')]);
  });

  it('requires a session', async () => {
    for (const path of ['options', 'verify']) {
      const url = `/auth/passkey/reauthenticate/${path}`;
      expect(statusAndCode(await (await site.as('admin')).post(url, {}))).toEqual([403, 'FORBIDDEN']);
      expect(statusAndCode(await site.anonymous().post(url, {}))).toEqual([401, 'NOT_AUTHENTICATED']);
    }
  });
});

describe('passkeys of administrators', () => {
  it('require user verification to sign in', async () => {
    const key = new SoftwareAuthenticator();
    await addPasskey(site, await site.signedIn('admin', 'gil'), key);
    const logIn = async (isUserVerified: boolean) => {
      const options = ceremonyOptionsOf(await site.anonymous().post('/auth/passkey/options'));
      const credential = key.logIn(options, { ...ceremonyOf(site), isUserVerified });
      return (await site.anonymous().post('/auth/passkey/verify', { credential })).status;
    };
    expect([await logIn(false), await logIn(true)]).toEqual([401, 200]);
  });

  it('require user verification when added', async () => {
    const add = async (client: Client, isUserVerified: boolean) => {
      const options = ceremonyOptionsOf(await client.post('/auth/passkey/register/options'));
      const credential = new SoftwareAuthenticator().register(options, {
        ...ceremonyOf(site),
        isUserVerified,
      });
      return statusAndCode(await client.post('/auth/passkey/register/verify', { credential }));
    };
    expect(await add(await site.signedIn('admin', 'hal'), false)).toEqual([400, 'VALIDATION_ERROR']);
    expect((await add(await site.signedIn('editor', 'ida'), false))[0]).toBe(200);
  });
});
