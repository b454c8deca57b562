import { describe, expect, it } from '@jest/globals';
import {
  ceremonyOf,
  ceremonyOptionsOf,
  cookieOf,
  logIn,
  openRowLock,
  openSite,
  SoftwareAuthenticator,
  statusAndCode,
  useSite,
  waitUntilBlocked,
  type ApiResponse,
} from '@quire/testing';

/** Has no users until a test creates a client with a token or a session. */
const site = useSite({ lifetime: 'test' });

/** Posts as a browser that has opened the setup link. */
const post = (path: string, body: unknown, nonce?: string) => {
  const cookie = nonce === undefined ? site.setupCookie : `${site.setupCookie}; cms_setup_nonce=${nonce}`;
  return site.anonymous().post(path, body, { headers: { cookie } });
};
const status = async () => (await site.anonymous().get('/setup/status')).data;
const nameSite = (extra: object = {}) =>
  post('/setup', { title: 'My site', includeContent: false, ...extra });

/** Starts the registration of the first user in a new browser. */
async function begin(email = 'Ann@Site.example', extra: object = {}) {
  const response = await post('/setup/admin', { email, ...extra });
  const options = ceremonyOptionsOf(response);
  const key = new SoftwareAuthenticator();
  const credential = key.register(options, ceremonyOf(site));
  const nonce = String(cookieOf(response, 'cms_setup_nonce'));
  return { response, options, key, credential, nonce, finish: () => finish(credential, nonce) };
}
const finish = (credential: unknown, nonce?: string) => post('/setup/admin/verify', { credential }, nonce);
const users = () => site.sql<{ email: string }>('SELECT email FROM users');
const outcomes = (responses: ApiResponse[]) => responses.map((response) => statusAndCode(response)).sort();

describe('setup of a site without users (contract 26)', () => {
  it('stores the title, creates the first user as an Admin and opens a session', async () => {
    const seedInfo = { name: 'Blog', description: expect.any(String), collections: 2, hasContent: true };
    const pending = { needsSetup: true, needsLink: true, seedInfo, authMode: 'passkey' };
    expect(await status()).toEqual({ ...pending, step: 'start' });
    const named = await nameSite({ tagline: 'About things' });
    const result = { settings: 2, blockTypes: 0, collections: 2, fields: 6, taxonomies: 2, entries: 0 };
    expect(named.data).toEqual({ success: true, setupComplete: false, result });
    expect(await status()).toEqual({ ...pending, step: 'admin' });

    const ann = await begin('Ann@Site.example', { name: ' Ann ' });
    expect(ann.response.headers.get('set-cookie')).toMatch(
      /^cms_setup_nonce=[\w-]{43}; Max-Age=3600; Path=\/_cms\/; HttpOnly; SameSite=Strict$/,
    );
    expect(ann.options).toMatchObject({
      rp: { id: site.host },
      user: { name: 'ann@site.example', displayName: 'Ann' },
    });
    const verified = await ann.finish();
    expect(verified.data).toEqual({
      success: true,
      user: { id: expect.any(String), email: 'ann@site.example', name: 'Ann', role: 50 },
    });
    expect(verified.headers.get('set-cookie')).toMatch(
      /cms_setup_nonce=; Max-Age=0; Path=\/_cms\/; HttpOnly; SameSite=Strict/,
    );
    const admin = site.withSession(String(cookieOf(verified, 'cms_session')));
    expect((await admin.get('/auth/me')).data).toMatchObject({ role: 50, isFirstLogin: true });
    expect((await admin.get('/settings')).data).toEqual({ title: 'My site', tagline: 'About things' });
    expect((await admin.get('/auth/passkey')).data.items).toHaveLength(1);
    expect(await status()).toEqual({ needsSetup: false });
    expect((await logIn(site, ann.key)).data.user).toEqual(verified.data.user);
    const [user] = await site.sql('SELECT email_verified, disabled FROM users');
    expect(user).toEqual({ email_verified: false, disabled: false });
    expect(
      await site.sql(`SELECT action, details FROM audit_log WHERE action ~ '^(user|session)' ORDER BY id`),
    ).toEqual([
      { action: 'user.created', details: { role: 50, method: 'setup' } },
      { action: 'session.opened', details: { method: 'setup' } },
      { action: 'session.opened', details: { method: 'passkey' } },
    ]);
  });

  it('does not change the title while the first user is being created', async () => {
    const rowLock = await openRowLock(site);
    await rowLock.acquire('SELECT 1 FROM setup_state FOR UPDATE');
    await rowLock.acquire("INSERT INTO users (id, email, role) VALUES ('first', 'first@site.example', 50)");
    const naming = nameSite();
    await waitUntilBlocked(site, ['setup_state']);
    await rowLock.release();
    await rowLock.close();
    expect(statusAndCode(await naming)).toEqual([409, 'ALREADY_CONFIGURED']);
    expect((await (await site.as('admin')).get('/settings')).data).toEqual({});
  });

  it('updates the title and removes an omitted tagline', async () => {
    await nameSite({ title: 'First', tagline: 'One' });
    expect((await nameSite({ title: ' Second ' })).data.result).toMatchObject({
      settings: 1,
      collections: 0,
    });
    const admin = await site.as('admin');
    expect((await admin.get('/settings')).data).toEqual({ title: 'Second' });
  });

  it('stores the nonce only as a hash', async () => {
    const { nonce } = await begin();
    expect(JSON.stringify(await site.sql('SELECT * FROM setup_attempts'))).not.toContain(nonce);
  });

  it('limits the number of stored setup attempts', async () => {
    await site.sql(
      `INSERT INTO setup_attempts (nonce_hash, user_id, email, expires_at)
       SELECT n::text, n::text, 'x@x.example', now() + n * interval '1 second' FROM generate_series(1, 300) n`,
    );
    await nameSite();
    const ann = await begin();
    const [row] = await site.sql<{ count: number }>('SELECT count(*)::integer AS count FROM setup_attempts');
    expect(row?.count).toBeLessThanOrEqual(101);
    expect((await ann.finish()).status).toBe(200);
    expect(await site.sql('SELECT * FROM setup_attempts')).toEqual([]);
  });
});

describe('setup errors', () => {
  it.each([
    ['no title', { title: undefined }],
    ['a blank title', { title: ' ' }],
    ['a title that is too long', { title: 'x'.repeat(201) }],
    ['a title that cannot be stored', { title: 'a\u0000' }],
    ['a tagline that is too long', { tagline: 'x'.repeat(501) }],
    ['no includeContent', { includeContent: undefined }],
  ])('POST /setup returns 400 VALIDATION_ERROR for %s', async (_, extra) => {
    expect(statusAndCode(await nameSite(extra))).toEqual([400, 'VALIDATION_ERROR']);
    expect((await status()).step).toBe('start');
  });

  it.each([{}, { email: '' }, { email: 'ann' }, { email: 'a@b.example', name: 'x'.repeat(201) }])(
    'POST /setup/admin returns 400 VALIDATION_ERROR for %j',
    async (body) => {
      expect(statusAndCode(await post('/setup/admin', body))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  it('POST /setup/admin/verify returns INVALID_STATE until the site has a title', async () => {
    const ann = await begin();
    expect(statusAndCode(await ann.finish())).toEqual([400, 'INVALID_STATE']);
    await nameSite();
    expect((await ann.finish()).status).toBe(200);
  });

  it('POST /setup/admin/verify returns INVALID_STATE in another browser and without POST /setup/admin', async () => {
    await nameSite();
    const [ann, bob] = [await begin('a@x.example'), await begin('b@x.example')];
    const invalid = [400, 'INVALID_STATE'];
    expect(statusAndCode(await finish(ann.credential))).toEqual(invalid);
    expect(statusAndCode(await finish(ann.credential, 'made-up'))).toEqual(invalid);
    expect(statusAndCode(await finish(ann.credential, bob.nonce))).toEqual([400, 'CHALLENGE_EXPIRED']);
    await site.sql("UPDATE setup_attempts SET expires_at = now() - interval '1 second'");
    expect(statusAndCode(await ann.finish())).toEqual(invalid);
    expect(await users()).toEqual([]);
  });

  it('POST /setup/admin/verify returns CHALLENGE_EXPIRED after the challenge has expired', async () => {
    await nameSite();
    const ann = await begin();
    await site.sql("UPDATE passkey_challenges SET expires_at = now() - interval '1 second'");
    expect(statusAndCode(await ann.finish())).toEqual([400, 'CHALLENGE_EXPIRED']);
    expect(await users()).toEqual([]);
  });

  it('POST /setup/admin/verify rejects a passkey of another site and creates no user', async () => {
    await nameSite();
    const { options, nonce } = await begin();
    const credential = new SoftwareAuthenticator().register(options, { origin: 'https://evil.example' });
    expect(statusAndCode(await finish(credential, nonce))).toEqual([400, 'VALIDATION_ERROR']);
    expect(await users()).toEqual([]);
    expect((await status()).needsSetup).toBe(true);
  });

  it('all operations are rejected after the setup is complete', async () => {
    await nameSite();
    const ann = await begin();
    expect((await ann.finish()).status).toBe(200);
    expect(statusAndCode(await nameSite({ title: 'Mine now' }))).toEqual([409, 'ALREADY_CONFIGURED']);
    expect(statusAndCode(await post('/setup/admin', { email: 'b@x.example' }))).toEqual([
      400,
      'SETUP_COMPLETE',
    ]);
    expect(statusAndCode(await finish(ann.credential))).toEqual([400, 'SETUP_COMPLETE']);
    expect((await (await site.as('admin')).get('/settings')).data.title).toBe('My site');
  });

  it('all operations are rejected when users were created another way', async () => {
    await nameSite();
    const ann = await begin();
    await site.as('editor');
    expect(await status()).toEqual({ needsSetup: false });
    expect(statusAndCode(await nameSite())).toEqual([409, 'ALREADY_CONFIGURED']);
    expect(statusAndCode(await post('/setup/admin', { email: 'b@x.example' }))).toEqual([
      400,
      'ADMIN_EXISTS',
    ]);
    for (const nonce of [ann.nonce, undefined])
      expect(statusAndCode(await finish(ann.credential, nonce))).toEqual([400, 'ADMIN_EXISTS']);
    expect(await users()).toHaveLength(1);
  });

  it('POST /setup returns CSRF_REJECTED for a cross-site request', async () => {
    const headers = { origin: 'https://evil.example' };
    const response = await site
      .anonymous()
      .post('/setup', { title: 'x', includeContent: false }, { headers });
    expect(statusAndCode(response)).toEqual([403, 'CSRF_REJECTED']);
  });
});

describe('POST /setup/admin/verify creates one Admin', () => {
  it('when 4 browsers race', async () => {
    await nameSite();
    const rivals = await Promise.all(['a', 'b', 'c', 'd'].map((name) => begin(`${name}@x.example`)));
    const responses = await Promise.all(rivals.map((rival) => rival.finish()));
    const exists = [400, 'ADMIN_EXISTS'];
    expect(outcomes(responses)).toEqual([[200, ''], exists, exists, exists]);
    const winner = responses.find(({ status }) => status === 200);
    expect(await users()).toEqual([{ email: winner?.data.user.email }]);
    expect(await site.sql('SELECT id FROM passkeys')).toHaveLength(1);
    expect(await site.sql('SELECT id FROM sessions')).toHaveLength(1);
  });

  it('when one browser sends two requests', async () => {
    await nameSite();
    const ann = await begin();
    expect(outcomes(await Promise.all([ann.finish(), ann.finish()]))).toEqual([
      [200, ''],
      [400, 'ADMIN_EXISTS'],
    ]);
  });

  it('and does not affect another site', async () => {
    const other = await openSite();
    await nameSite();
    const ann = await begin();
    await ann.finish();
    expect((await other.anonymous().get('/setup/status')).data).toMatchObject({
      needsSetup: true,
      step: 'start',
    });
    await other.close();
  });
});
