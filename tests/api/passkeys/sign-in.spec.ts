import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  addPasskey,
  ceremonyOptionsOf,
  cookieOf,
  logIn,
  openSite,
  statusAndCode,
  ceremonyOf,
  SoftwareAuthenticator,
  type Client,
  type Site,
} from '@quire/testing';

let site: Site;
let ann: Client;
const key = new SoftwareAuthenticator();

beforeAll(async () => {
  site = await openSite();
  ann = await site.signedIn('editor', 'ann');
  expect((await addPasskey(site, ann, key)).status).toBe(200);
});
afterAll(() => site.close());

const failed = [401, 'UNAUTHORIZED'];
const failure = 'Passkey authentication failed';
const options = async (body?: object) =>
  ceremonyOptionsOf(await site.anonymous().post('/auth/passkey/options', body));
const verify = (credential: unknown) => site.anonymous().post('/auth/passkey/verify', { credential });

describe('signing in with a passkey (contract 27)', () => {
  it('opens a session of the user, new at every login', async () => {
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

  it('issues another session id to a browser that brings one', async () => {
    const cookie = `cms_session=${ann.session}`;
    const answer = await logIn(site, key, { request: { headers: { cookie, 'x-cms-request': '1' } } });
    expect(cookieOf(answer, 'cms_session')).not.toBe(ann.session);
    expect(answer.status).toBe(200);
  });

  it('asks for any passkey of the site, with what the browser needs', async () => {
    expect(await options()).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: site.host,
      timeout: 60_000,
      userVerification: 'preferred',
    });
  });

  it('asks for those of a user whose address is given, however it is written', async () => {
    const { allowCredentials } = await options({ email: ` ANN@${site.tenant}.example ` });
    expect(allowCredentials).toEqual([
      { type: 'public-key', id: key.credentialIds[0], transports: ['internal'] },
    ]);
  });

  it('returns the same response for an unknown address and a user without passkeys', async () => {
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

  it('returns 400 for an invalid address', async () => {
    const answer = await site.anonymous().post('/auth/passkey/options', { email: 'ann' });
    expect(statusAndCode(answer)).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('stores a challenge only as a hash', async () => {
    const { challenge } = await options();
    expect(JSON.stringify(await site.sql('SELECT * FROM passkey_challenges'))).not.toContain(challenge);
  });

  it('of a disabled user is rejected with ACCOUNT_DISABLED, without a session', async () => {
    const bob = new SoftwareAuthenticator();
    await addPasskey(site, await site.signedIn('editor', 'bob'), bob);
    await site.sql("UPDATE users SET disabled = true WHERE email LIKE 'bob@%'");
    const answer = await logIn(site, bob);
    expect(statusAndCode(answer)).toEqual([403, 'ACCOUNT_DISABLED']);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });
});

describe('signing in with a passkey fails with one message', () => {
  it.each([
    ['at another origin', { origin: 'https://evil.example' }],
    ['for another host name', { rpId: 'evil.example' }],
    ['with a challenge that was never given out', { challenge: 'bWFkZSB1cA' }],
    ['with nobody there', { isUserPresent: false }],
  ])('%s', async (_, ceremony) => {
    const answer = await logIn(site, key, { ceremony });
    expect(statusAndCode(answer)).toEqual(failed);
    expect(answer.error.message).toBe(failure);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  it('with an unknown passkey', async () => {
    const stranger = new SoftwareAuthenticator();
    stranger.register({ ...(await options()), rp: { id: site.host }, user: { id: 'eA' } }, ceremonyOf(site));
    const answer = await logIn(site, stranger);
    expect([...statusAndCode(answer), answer.error.message]).toEqual([...failed, failure]);
  });

  it('with a signature by another key', async () => {
    const forger = new SoftwareAuthenticator();
    const given = await options();
    forger.register(
      { ...given, rp: { id: site.host }, user: { id: 'eA' } },
      ceremonyOf(site),
      key.credentialIds[0],
    );
    const signed = forger.logIn(given, ceremonyOf(site));
    const answer = await verify({ ...signed, response: { ...signed.response, userHandle: undefined } });
    expect(statusAndCode(answer)).toEqual(failed);
  });

  it('for a user handle that is not the owner’s', async () => {
    const signed = key.logIn(await options(), ceremonyOf(site));
    const answer = await verify({ ...signed, response: { ...signed.response, userHandle: 'eA' } });
    expect(statusAndCode(answer)).toEqual(failed);
  });

  it('the second time a challenge is used, of two at once as well, also after a failure', async () => {
    const signed = key.logIn(await options(), ceremonyOf(site));
    const answers = await Promise.all([verify(signed), verify(signed), verify(signed)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect(statusAndCode(await verify(signed))).toEqual(failed);
    const given = await options();
    expect(statusAndCode(await verify(key.logIn(given, { origin: 'https://evil.example' })))).toEqual(failed);
    expect(statusAndCode(await verify(key.logIn(given, ceremonyOf(site))))).toEqual(failed);
  });

  it('after five minutes', async () => {
    const before = await options();
    const [row] = await site.sql<{ seconds: number }>(
      'SELECT extract(epoch FROM max(expires_at) - now())::integer AS seconds FROM passkey_challenges',
    );
    expect(row?.seconds).toBeGreaterThan(290);
    expect(row?.seconds).toBeLessThanOrEqual(300);
    await site.sql("UPDATE passkey_challenges SET expires_at = now() - interval '1 second'");
    expect(statusAndCode(await verify(key.logIn(before, ceremonyOf(site))))).toEqual(failed);
  });

  it('with a challenge that was given out to make a passkey, or for another user', async () => {
    const making = ceremonyOptionsOf(await ann.post('/auth/passkey/register/options'));
    const given = { challenge: making.challenge, rpId: site.host };
    expect(statusAndCode(await verify(key.logIn(given, ceremonyOf(site))))).toEqual(failed);
    await site.signedIn('author', 'cleo');
    const ofCleo = await options({ email: `cleo@${site.tenant}.example` });
    expect(statusAndCode(await verify(key.logIn(ofCleo, ceremonyOf(site))))).toEqual(failed);
  });

  it('at another site', async () => {
    const neighbour = await openSite();
    const given = ceremonyOptionsOf(await neighbour.anonymous().post('/auth/passkey/options'));
    const signed = key.logIn(given, ceremonyOf(neighbour));
    const answer = await neighbour.anonymous().post('/auth/passkey/verify', { credential: signed });
    expect(statusAndCode(answer)).toEqual(failed);
    const here = key.logIn(given, ceremonyOf(site));
    expect(statusAndCode(await verify(here))).toEqual(failed);
    await neighbour.close();
  });

  it('when the authenticator counts back, as a copy does', async () => {
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

describe('a passkey ceremony at a page of another origin', () => {
  it('is taken where the operator allows the origin (CMS_ALLOWED_ORIGINS)', async () => {
    const answer = await logIn(site, key, { ceremony: { origin: 'https://allowed.example' } });
    expect(answer.status).toBe(200);
  });
});

describe('malformed input', () => {
  it.each([
    ['no credential', {}],
    ['no signature', { credential: { id: 'eA', rawId: 'eA', type: 'public-key', response: {} } }],
    [
      'text that is not base64url',
      { credential: { id: 'e A', rawId: 'e A', type: 'public-key', response: {} } },
    ],
  ])('is refused: %s', async (_, body) => {
    expect(statusAndCode(await site.anonymous().post('/auth/passkey/verify', body))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  it.each(['e30', 'bnVsbA', 'eA', 'W10'])(
    'is a failure to sign in: client data %s',
    async (clientDataJSON) => {
      const signed = key.logIn(await options(), ceremonyOf(site));
      const answer = await verify({ ...signed, response: { ...signed.response, clientDataJSON } });
      expect(statusAndCode(answer)).toEqual(failed);
    },
  );

  it('returns 401 for truncated authenticator data', async () => {
    const signed = key.logIn(await options(), ceremonyOf(site));
    const response = { ...signed.response, authenticatorData: 'eA' };
    expect(statusAndCode(await verify({ ...signed, response }))).toEqual(failed);
  });
});

describe('the limit on auth/passkey/options (contract 4)', () => {
  const times = (count: number, address: string) =>
    Promise.all(
      Array.from({ length: count }, () =>
        site.anonymous().post('/auth/passkey/options', undefined, { headers: { 'x-real-ip': address } }),
      ),
    );

  it('allows ten a minute per address and returns Retry-After', async () => {
    const answers = await times(13, '192.0.2.1');
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3);
    expect(refused[0]?.error.code).toBe('RATE_LIMITED');
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await times(1, '192.0.2.2'))[0]?.status).toBe(200);
  });

  it('counts an IPv6 client by its network', async () => {
    await times(5, '2001:db8::1');
    await times(5, '2001:db8::2');
    expect((await times(1, '2001:db8::3'))[0]?.status).toBe(429);
    expect((await times(1, '2001:db8:0:1::3'))[0]?.status).toBe(200);
  });

  it('counts by the connection when no trusted proxy told an address (decision 54)', async () => {
    const headers = { 'x-real-ip': undefined };
    const ask = () => site.anonymous().post('/auth/passkey/options', undefined, { headers });
    const answers = await Promise.all(Array.from({ length: 12 }, ask));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
    expect((await times(1, '192.0.2.77'))[0]?.status).toBe(200);
  });
});
