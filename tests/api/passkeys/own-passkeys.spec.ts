import { describe, expect, it } from '@jest/globals';
import {
  addPasskey,
  ceremonyOf,
  ceremonyOptionsOf,
  eventually,
  logIn,
  openRowLock,
  openSite,
  SoftwareAuthenticator,
  statusAndCode,
  testRoles,
  useSite,
  waitUntilBlocked,
  type Client,
} from '@quire/testing';

const site = useSite();

const register = '/auth/passkey/register';
const signedInUser = (name: string) => site.signedIn('subscriber', name);
const namesOf = async (client: Client) =>
  ((await client.get('/auth/passkey')).data.items as { name: string | null }[]).map(({ name }) => name);
/** Polls until a session is rejected, because its end takes time to reach every process. */
const waitUntilRevoked = async (client: Client) =>
  statusAndCode(
    await eventually(
      () => client.get('/auth/me'),
      ({ status }) => status !== 200,
    ),
  );
/** A user with passkeys of these names, and their ids. */
async function withPasskeys(name: string, names: string[]) {
  const client = await signedInUser(name);
  const key = new SoftwareAuthenticator();
  const ids: string[] = [];
  for (const name of names) ids.push((await addPasskey(site, client, key, name)).data.passkey.id);
  return { client, key, ids };
}

describe('POST /auth/passkey/register/options and /auth/passkey/register/verify (contract 27)', () => {
  it('return creation options that exclude existing passkeys', async () => {
    const client = await signedInUser('ann');
    const options = ceremonyOptionsOf(await client.post(`${register}/options`));
    expect(options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rp: { name: site.host, id: site.host },
      user: {
        id: expect.any(String),
        name: `ann@${site.tenant}.example`,
        displayName: `ann@${site.tenant}.example`,
      },
      pubKeyCredParams: [
        { type: 'public-key', alg: -7 },
        { type: 'public-key', alg: -257 },
      ],
      timeout: 60_000,
      attestation: 'none',
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
    const key = new SoftwareAuthenticator();
    await addPasskey(site, client, key);
    expect(ceremonyOptionsOf(await client.post(`${register}/options`)).excludeCredentials).toEqual([
      { type: 'public-key', id: key.credentialIds[0], transports: ['internal'] },
    ]);
  });

  it('return and list the passkey without its key', async () => {
    const client = await signedInUser('lister');
    const { passkey } = (await addPasskey(site, client, new SoftwareAuthenticator(), ' Laptop ')).data;
    expect(passkey).toEqual({
      id: expect.any(String),
      name: 'Laptop',
      deviceType: 'singleDevice',
      backedUp: false,
      createdAt: expect.stringMatching(/Z$/),
      lastUsedAt: expect.stringMatching(/Z$/),
    });
    expect((await client.get('/auth/passkey')).data).toEqual({ items: [passkey] });
  });

  it('use the name of the options request when the verify request has none', async () => {
    const client = await signedInUser('namer');
    const options = ceremonyOptionsOf(await client.post(`${register}/options`, { name: 'Phone' }));
    const credential = new SoftwareAuthenticator().register(options, ceremonyOf(site));
    await client.post(`${register}/verify`, { credential });
    await addPasskey(site, client, new SoftwareAuthenticator());
    expect(await namesOf(client)).toEqual(['Phone', null]);
  });

  it('return CREDENTIAL_EXISTS for a registered passkey', async () => {
    const { client, key } = await withPasskeys('doubler', ['a']);
    const again = async (by: Client) => {
      const options = ceremonyOptionsOf(await by.post(`${register}/options`));
      const credential = new SoftwareAuthenticator().register(
        options,
        ceremonyOf(site),
        key.credentialIds[0],
      );
      return by.post(`${register}/verify`, { credential });
    };
    expect(statusAndCode(await again(client))).toEqual([400, 'CREDENTIAL_EXISTS']);
    expect(statusAndCode(await again(await signedInUser('thief')))).toEqual([400, 'CREDENTIAL_EXISTS']);
    expect((await logIn(site, key)).data.user.email).toContain('doubler@');
  });

  it('allow at most 10 passkeys per user, also for concurrent requests', async () => {
    const { client } = await withPasskeys('collector', ['1', '2', '3', '4', '5', '6', '7', '8']);
    const started = await Promise.all([1, 2, 3, 4].map(() => client.post(`${register}/options`)));
    const responses = await Promise.all(
      started.map((response) => {
        const credential = new SoftwareAuthenticator().register(
          ceremonyOptionsOf(response),
          ceremonyOf(site),
        );
        return client.post(`${register}/verify`, { credential });
      }),
    );
    expect(responses.map((response) => statusAndCode(response)).sort()).toEqual([
      [200, ''],
      [200, ''],
      [400, 'PASSKEY_LIMIT'],
      [400, 'PASSKEY_LIMIT'],
    ]);
    expect(await namesOf(client)).toHaveLength(10);
    expect(statusAndCode(await client.post(`${register}/options`))).toEqual([400, 'PASSKEY_LIMIT']);
  });

  it('accept each challenge once, within 5 minutes, from its user', async () => {
    const [client, other] = [await signedInUser('challenged'), await signedInUser('another')];
    const begin = async () => ceremonyOptionsOf(await client.post(`${register}/options`));
    const send = async (by: Client, options: { challenge: string }) => {
      const creation = { rp: { id: site.host }, user: { id: 'eA' }, ...options };
      const credential = new SoftwareAuthenticator().register(creation, ceremonyOf(site));
      return statusAndCode(await by.post(`${register}/verify`, { credential }));
    };
    const expired = [400, 'CHALLENGE_EXPIRED'];
    const options = await begin();
    expect(await send(client, options)).toEqual([200, '']);
    expect(await send(client, options)).toEqual(expired);
    expect(await send(client, { challenge: 'bWFkZSB1cA' })).toEqual(expired);
    expect(await send(other, await begin())).toEqual(expired);
    const login = ceremonyOptionsOf(await site.anonymous().post('/auth/passkey/options'));
    expect(await send(client, login)).toEqual(expired);
    const late = await begin();
    await site.sql("UPDATE passkey_challenges SET expires_at = now() - interval '1 second'");
    expect(await send(client, late)).toEqual(expired);
    const raced = await begin();
    const results = await Promise.all([send(client, raced), send(client, raced)]);
    expect(results.sort()).toEqual([[200, ''], expired]);
  });

  it.each([
    ['of a page at another origin', { origin: 'https://evil.example' }],
    ['for another host name', { rpId: 'evil.example' }],
    ['without user presence', { isUserPresent: false }],
  ])('reject a passkey %s', async (_, ceremony) => {
    const client = await signedInUser('phished');
    const options = ceremonyOptionsOf(await client.post(`${register}/options`));
    const credential = new SoftwareAuthenticator().register(options, { ...ceremonyOf(site), ...ceremony });
    expect(statusAndCode(await client.post(`${register}/verify`, { credential }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    expect(await namesOf(client)).toEqual([]);
  });

  it('reject a credential with a mismatched id', async () => {
    const client = await signedInUser('mislabelled');
    const options = ceremonyOptionsOf(await client.post(`${register}/options`));
    const credential = new SoftwareAuthenticator().register(options, ceremonyOf(site));
    const response = await client.post(`${register}/verify`, {
      credential: { ...credential, id: 'eA', rawId: 'eA' },
    });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
  });

  it.each(['', ' ', 'x'.repeat(101), 'a\u0000b', 7])('reject the name %j', async (name) => {
    const client = await signedInUser('misnamer');
    expect(statusAndCode(await client.post(`${register}/options`, { name }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
});

describe('PATCH /auth/passkey/{id}', () => {
  it('renames a passkey of the caller', async () => {
    const { client, ids } = await withPasskeys('renamer', ['a', 'b']);
    const response = await client.patch(`/auth/passkey/${ids[1]}`, { name: ' New ' });
    expect(response.data.passkey).toMatchObject({ id: ids[1], name: 'New' });
    expect(await namesOf(client)).toEqual(['a', 'New']);
  });

  it('rejects invalid names and returns 404 for passkeys of other users', async () => {
    const { client, ids } = await withPasskeys('keeper', ['a']);
    for (const body of [{}, { name: '' }, { name: 'x'.repeat(101) }])
      expect(statusAndCode(await client.patch(`/auth/passkey/${ids[0]}`, body))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
    const outsider = await site.signedIn('admin');
    expect(statusAndCode(await outsider.patch(`/auth/passkey/${ids[0]}`, { name: 'x' }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect(await namesOf(client)).toEqual(['a']);
  });
});

describe('DELETE /auth/passkey/{id}', () => {
  it('deletes the passkey and revokes the other sessions of its user', async () => {
    const { client, key, ids } = await withPasskeys('remover', ['a', 'b']);
    const elsewhere = await signedInUser('remover');
    const unrelated = await signedInUser('bystander');
    expect((await client.delete(`/auth/passkey/${ids[0]}`)).data).toEqual({ success: true });
    expect(await namesOf(client)).toEqual(['b']);
    expect(await waitUntilRevoked(elsewhere)).toEqual([401, 'NOT_AUTHENTICATED']);
    for (const valid of [client, unrelated]) expect((await valid.get('/auth/me')).status).toBe(200);
    expect(statusAndCode(await logIn(site, key))).toEqual([401, 'UNAUTHORIZED']);
  });

  it('returns LAST_PASSKEY for the last passkey', async () => {
    const { client, ids } = await withPasskeys('last', ['a']);
    const elsewhere = await signedInUser('last');
    expect(statusAndCode(await client.delete(`/auth/passkey/${ids[0]}`))).toEqual([400, 'LAST_PASSKEY']);
    expect(await namesOf(client)).toEqual(['a']);
    expect((await elsewhere.get('/auth/me')).status).toBe(200);
  });

  it('keeps one passkey when all are deleted concurrently', async () => {
    const { client, ids } = await withPasskeys('racer', ['a', 'b', 'c', 'd']);
    // Locks the rows for a moment, so that all requests are in progress before the first one ends.
    const locked = site.sql(
      `WITH held AS MATERIALIZED (SELECT id FROM passkeys WHERE id = ANY($1) FOR UPDATE)
       SELECT pg_sleep(0.5) FROM (SELECT count(*) FROM held) locked`,
      [ids],
    );
    const responses = await Promise.all(ids.map((id) => client.delete(`/auth/passkey/${id}`)));
    await locked;
    expect(responses.map((response) => statusAndCode(response)).sort()).toEqual([
      [200, ''],
      [200, ''],
      [200, ''],
      [400, 'LAST_PASSKEY'],
    ]);
    expect(await namesOf(client)).toHaveLength(1);
  });

  it('succeeds during a sign-in with the passkey, which then fails', async () => {
    const { client, key, ids } = await withPasskeys('both', ['a', 'b']);
    const rowLock = await openRowLock(site);
    await rowLock.acquire('SELECT 1 FROM users FOR UPDATE');
    const removal = client.delete(`/auth/passkey/${ids[0]}`);
    await waitUntilBlocked(site, ['users']);
    const signIn = logIn(site, key);
    await waitUntilBlocked(site, ['users'], 2);
    await rowLock.release();
    await rowLock.close();
    expect([statusAndCode(await removal), statusAndCode(await signIn)]).toEqual([
      [200, ''],
      [401, 'UNAUTHORIZED'],
    ]);
  });

  it('returns 404 NOT_FOUND for passkeys of other users', async () => {
    const { client, ids } = await withPasskeys('owner', ['a', 'b']);
    const outsider = await withPasskeys('stranger', ['c', 'd']);
    expect(statusAndCode(await outsider.client.delete(`/auth/passkey/${ids[0]}`))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect(statusAndCode(await client.delete('/auth/passkey/none'))).toEqual([404, 'NOT_FOUND']);
    expect(await namesOf(client)).toEqual(['a', 'b']);
  });
});

describe('own passkeys', () => {
  const routes: [string, (client: Client) => ReturnType<Client['get']>][] = [
    ['list', (client) => client.get('/auth/passkey')],
    ['options', (client) => client.post(`${register}/options`)],
    ['verify', (client) => client.post(`${register}/verify`, {})],
    ['rename', (client) => client.patch('/auth/passkey/x', { name: 'x' })],
    ['remove', (client) => client.delete('/auth/passkey/x')],
  ];
  it.each(routes)('%s rejects tokens and anonymous requests', async (_, call) => {
    expect(statusAndCode(await call(await site.as('admin')))).toEqual([403, 'FORBIDDEN']);
    expect(statusAndCode(await call(site.anonymous()))).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('can be listed by every role', async () => {
    for (const role of testRoles)
      expect((await (await site.signedIn(role)).get('/auth/passkey')).status).toBe(200);
  });

  it('are separate per site', async () => {
    const { ids } = await withPasskeys('local', ['a', 'b']);
    const other = await openSite();
    const otherAdmin = await other.signedIn('admin');
    expect((await otherAdmin.get('/auth/passkey')).data).toEqual({ items: [] });
    expect(statusAndCode(await otherAdmin.delete(`/auth/passkey/${ids[0]}`))).toEqual([404, 'NOT_FOUND']);
    await other.close();
  });
});

describe('passkeys in GET /admin/users (contract 24)', () => {
  it('are listed with the user and counted in the list', async () => {
    const { ids } = await withPasskeys('olga', ['Laptop', 'Key']);
    const admin = await site.signedIn('admin', 'overseer');
    const { items } = (await admin.get('/admin/users?search=olga')).data;
    expect(items).toMatchObject([{ credentialCount: 2, oauthProviders: [] }]);
    const { item } = (await admin.get(`/admin/users/${items[0].id}`)).data;
    expect(item.credentials).toEqual(
      ['Laptop', 'Key'].map((name, at) => ({
        id: ids[at],
        name,
        deviceType: 'singleDevice',
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
      })),
    );
  });
});

describe('audit log of passkeys', () => {
  it('records adding, renaming and removing passkeys, and sign-ins', async () => {
    const { client, key, ids } = await withPasskeys('uma', ['Laptop', 'Key']);
    expect((await logIn(site, key)).status).toBe(200);
    await client.patch(`/auth/passkey/${ids[0]}`, { name: 'Old laptop' });
    await client.delete(`/auth/passkey/${ids[1]}`);
    const { id } = (await client.get('/auth/me')).data;
    const admin = await site.signedIn('admin', 'auditor');
    const { items } = (await admin.get('/admin/audit-log')).data;
    const events = items.filter(({ userId }: { userId: string | null }) => userId === id);
    const ofPasskey = (action: string, target: string | undefined) => ({
      action,
      actor: { id },
      target: { type: 'credential', id: target },
      details: { kind: 'passkey' },
    });
    expect(events).toMatchObject([
      ofPasskey('credential.removed', ids[1]),
      ofPasskey('credential.renamed', ids[0]),
      {
        action: 'session.opened',
        actor: { id },
        target: { type: 'user', id },
        details: { method: 'passkey' },
      },
      ofPasskey('credential.added', ids[1]),
      ofPasskey('credential.added', ids[0]),
    ]);
  });
});
