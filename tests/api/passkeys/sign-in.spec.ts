import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  addPasskey,
  ceremonyOf,
  ceremonyOptionsOf,
  cookieOf,
  logIn,
  openSite,
  SoftwareAuthenticator,
  statusAndCode,
  useSite,
  type Client,
} from '@quire/testing';

const site = useSite();
let ann: Client;
const key = new SoftwareAuthenticator();

beforeAll(async () => {
  ann = await site.signedIn('editor', 'ann');
  expect((await addPasskey(site, ann, key)).status).toBe(200);
});

const failed = [401, 'UNAUTHORIZED'];
const failure = 'Passkey authentication failed';
const options = async (body?: object) =>
  ceremonyOptionsOf(await site.anonymous().post('/auth/passkey/options', body));
const verify = (credential: unknown) => site.anonymous().post('/auth/passkey/verify', { credential });

describe('POST /auth/passkey/options and /auth/passkey/verify (contract 27)', () => {
  it('open a new session at every sign-in', async () => {
    const [first, second] = [await logIn(site, key), await logIn(site, key)];
    expect(first.data).toEqual({
      success: true,
      user: { id: expect.any(String), email: `ann@${site.tenant}.example`, name: null, role: 40 },
    });
    expect(first.headers.get('set-cookie')).toMatch(
      /^cms_session=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const sessions = [cookieOf(first, 'cms_session'), cookieOf(second, 'cms_session')];
    expect(sessions[0]).not.toBe(sessions[1]);
    for (const session of sessions)
      expect((await site.withSession(String(session)).get('/auth/me')).data.role).toBe(40);
  });

  it('issue a new session id to a browser that has one', async () => {
    const cookie = `cms_session=${ann.session}`;
    const response = await logIn(site, key, { request: { headers: { cookie, 'x-cms-request': '1' } } });
    expect(cookieOf(response, 'cms_session')).not.toBe(ann.session);
    expect(response.status).toBe(200);
  });

  it('return request options for any passkey of the site', async () => {
    expect(await options()).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: site.host,
      timeout: 60_000,
      userVerification: 'preferred',
    });
  });

  it('return the passkeys of the user with the given address, in any spelling', async () => {
    const { allowCredentials } = await options({ email: ` ANN@${site.tenant}.example ` });
    expect(allowCredentials).toEqual([
      { type: 'public-key', id: key.credentialIds[0], transports: ['internal'] },
    ]);
  });

  it('return the same response for an unknown address and a user without passkeys', async () => {
    await site.signedIn('editor', 'keyless');
    for (const email of ['nobody@x.example', `keyless@${site.tenant}.example`])
      expect(await options({ email })).toEqual({
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        rpId: site.host,
        timeout: 60_000,
        userVerification: 'preferred',
        allowCredentials: expect.arrayContaining([
          { type: 'public-key', id: expect.any(String), transports: expect.any(Array) },
        ]),
      });
  });

  it('return 400 VALIDATION_ERROR for an invalid address', async () => {
    const response = await site.anonymous().post('/auth/passkey/options', { email: 'ann' });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('store a challenge only as a hash', async () => {
    const { challenge } = await options();
    expect(JSON.stringify(await site.sql('SELECT * FROM passkey_challenges'))).not.toContain(challenge);
  });

  it('return ACCOUNT_DISABLED for a disabled user and open no session', async () => {
    const bob = new SoftwareAuthenticator();
    await addPasskey(site, await site.signedIn('editor', 'bob'), bob);
    await site.sql("UPDATE users SET disabled = true WHERE email LIKE 'bob@%'");
    const response = await logIn(site, bob);
    expect(statusAndCode(response)).toEqual([403, 'ACCOUNT_DISABLED']);
    expect(response.headers.get('set-cookie')).toBeNull();
  });
});

describe('POST /auth/passkey/verify returns 401 with the same message', () => {
  it.each([
    ['at another origin', { origin: 'https://evil.example' }],
    ['for another host name', { rpId: 'evil.example' }],
    ['with an unknown challenge', { challenge: 'bWFkZSB1cA' }],
    ['without user presence', { isUserPresent: false }],
  ])('%s', async (_, ceremony) => {
    const response = await logIn(site, key, { ceremony });
    expect(statusAndCode(response)).toEqual(failed);
    expect(response.error.message).toBe(failure);
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  it('with an unknown passkey', async () => {
    const outsider = new SoftwareAuthenticator();
    outsider.register({ ...(await options()), rp: { id: site.host }, user: { id: 'eA' } }, ceremonyOf(site));
    const response = await logIn(site, outsider);
    expect([...statusAndCode(response), response.error.message]).toEqual([...failed, failure]);
  });

  it('with a signature by another key', async () => {
    const forger = new SoftwareAuthenticator();
    const offered = await options();
    forger.register(
      { ...offered, rp: { id: site.host }, user: { id: 'eA' } },
      ceremonyOf(site),
      key.credentialIds[0],
    );
    const signed = forger.logIn(offered, ceremonyOf(site));
    const response = await verify({ ...signed, response: { ...signed.response, userHandle: undefined } });
    expect(statusAndCode(response)).toEqual(failed);
  });

  it('for a user handle of another user', async () => {
    const signed = key.logIn(await options(), ceremonyOf(site));
    const response = await verify({ ...signed, response: { ...signed.response, userHandle: 'eA' } });
    expect(statusAndCode(response)).toEqual(failed);
  });

  it('for a reused challenge, also concurrently and after a failure', async () => {
    const signed = key.logIn(await options(), ceremonyOf(site));
    const responses = await Promise.all([verify(signed), verify(signed), verify(signed)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect(statusAndCode(await verify(signed))).toEqual(failed);
    const offered = await options();
    expect(statusAndCode(await verify(key.logIn(offered, { origin: 'https://evil.example' })))).toEqual(
      failed,
    );
    expect(statusAndCode(await verify(key.logIn(offered, ceremonyOf(site))))).toEqual(failed);
  });

  it('after 5 minutes', async () => {
    const expired = await options();
    const [row] = await site.sql<{ seconds: number }>(
      'SELECT extract(epoch FROM max(expires_at) - now())::integer AS seconds FROM passkey_challenges',
    );
    expect(row?.seconds).toBeGreaterThan(290);
    expect(row?.seconds).toBeLessThanOrEqual(300);
    await site.sql("UPDATE passkey_challenges SET expires_at = now() - interval '1 second'");
    expect(statusAndCode(await verify(key.logIn(expired, ceremonyOf(site))))).toEqual(failed);
  });

  it('with a challenge of a registration or of another user', async () => {
    const registration = ceremonyOptionsOf(await ann.post('/auth/passkey/register/options'));
    const offered = { challenge: registration.challenge, rpId: site.host };
    expect(statusAndCode(await verify(key.logIn(offered, ceremonyOf(site))))).toEqual(failed);
    await site.signedIn('author', 'cleo');
    const ofCleo = await options({ email: `cleo@${site.tenant}.example` });
    expect(statusAndCode(await verify(key.logIn(ofCleo, ceremonyOf(site))))).toEqual(failed);
  });

  it('at another site', async () => {
    const other = await openSite();
    const offered = ceremonyOptionsOf(await other.anonymous().post('/auth/passkey/options'));
    const signed = key.logIn(offered, ceremonyOf(other));
    const response = await other.anonymous().post('/auth/passkey/verify', { credential: signed });
    expect(statusAndCode(response)).toEqual(failed);
    const signedHere = key.logIn(offered, ceremonyOf(site));
    expect(statusAndCode(await verify(signedHere))).toEqual(failed);
    await other.close();
  });

  it('when the signature counter does not increase, as with a cloned authenticator', async () => {
    const counting = new SoftwareAuthenticator();
    await addPasskey(site, await site.signedIn('editor', 'counting'), counting);
    expect((await logIn(site, counting, { ceremony: { counter: 7 } })).status).toBe(200);
    for (const counter of [7, 6, 0])
      expect(statusAndCode(await logIn(site, counting, { ceremony: { counter } }))).toEqual(failed);
    const copies = await Promise.all(
      [8, 8, 8].map((counter) => logIn(site, counting, { ceremony: { counter } })),
    );
    expect(copies.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });
});

describe('passkey ceremony at another origin', () => {
  it('is accepted when CMS_ALLOWED_ORIGINS contains the origin', async () => {
    const response = await logIn(site, key, { ceremony: { origin: 'https://allowed.example' } });
    expect(response.status).toBe(200);
  });
});

describe('POST /auth/passkey/verify with malformed input', () => {
  it.each([
    ['no credential', {}],
    ['no signature', { credential: { id: 'eA', rawId: 'eA', type: 'public-key', response: {} } }],
    [
      'text that is not base64url',
      { credential: { id: 'e A', rawId: 'e A', type: 'public-key', response: {} } },
    ],
  ])('returns 400 VALIDATION_ERROR for %s', async (_, body) => {
    expect(statusAndCode(await site.anonymous().post('/auth/passkey/verify', body))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  it.each(['e30', 'bnVsbA', 'eA', 'W10'])(
    'returns 401 UNAUTHORIZED for the client data %s',
    async (clientDataJSON) => {
      const signed = key.logIn(await options(), ceremonyOf(site));
      const response = await verify({ ...signed, response: { ...signed.response, clientDataJSON } });
      expect(statusAndCode(response)).toEqual(failed);
    },
  );

  it('returns 401 UNAUTHORIZED for truncated authenticator data', async () => {
    const signed = key.logIn(await options(), ceremonyOf(site));
    const response = { ...signed.response, authenticatorData: 'eA' };
    expect(statusAndCode(await verify({ ...signed, response }))).toEqual(failed);
  });
});

describe('rate limit of POST /auth/passkey/options (contract 4)', () => {
  const times = (count: number, address: string) =>
    Promise.all(
      Array.from({ length: count }, () =>
        site.anonymous().post('/auth/passkey/options', undefined, { headers: { 'x-real-ip': address } }),
      ),
    );

  it('allows 10 requests a minute per address and returns Retry-After', async () => {
    const responses = await times(13, '192.0.2.1');
    const rejected = responses.filter(({ status }) => status === 429);
    expect(rejected).toHaveLength(3);
    expect(rejected[0]?.error.code).toBe('RATE_LIMITED');
    expect(Number(rejected[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await times(1, '192.0.2.2'))[0]?.status).toBe(200);
  });

  it('counts an IPv6 client by its network', async () => {
    await times(5, '2001:db8::1');
    await times(5, '2001:db8::2');
    expect((await times(1, '2001:db8::3'))[0]?.status).toBe(429);
    expect((await times(1, '2001:db8:0:1::3'))[0]?.status).toBe(200);
  });

  it('counts by the connection without an address of a trusted proxy (decision 54)', async () => {
    const headers = { 'x-real-ip': undefined };
    const send = () => site.anonymous().post('/auth/passkey/options', undefined, { headers });
    const responses = await Promise.all(Array.from({ length: 12 }, send));
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(2);
    expect((await times(1, '192.0.2.77'))[0]?.status).toBe(200);
  });
});
