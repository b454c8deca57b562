import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ceremonyOptionsOf,
  cookieOf,
  logIn,
  openRowLock,
  openSite,
  statusAndCode,
  ceremonyOf,
  SoftwareAuthenticator,
  waitUntilBlocked,
  type ApiResponse,
  type Site,
} from '@quire/testing';

/** Without users, as long as no case asks for a client with a token or a session. */
let site: Site;
beforeEach(async () => void (site = await openSite()));
afterEach(() => site.close());

/** What a browser sends that has opened the setup link. */
const post = (path: string, body: unknown, nonce?: string) => {
  const cookie = nonce === undefined ? site.setupCookie : `${site.setupCookie}; cms_setup_nonce=${nonce}`;
  return site.anonymous().post(path, body, { headers: { cookie } });
};
const status = async () => (await site.anonymous().get('/setup/status')).data;
const nameSite = (more: object = {}) => post('/setup', { title: 'My site', includeContent: false, ...more });

/** A browser that has begun to make the first user. */
async function begin(email = 'Ann@Site.example', more: object = {}) {
  const answer = await post('/setup/admin', { email, ...more });
  const options = ceremonyOptionsOf(answer);
  const key = new SoftwareAuthenticator();
  const credential = key.register(options, ceremonyOf(site));
  const nonce = String(cookieOf(answer, 'cms_setup_nonce'));
  return { answer, options, key, credential, nonce, finish: () => finish(credential, nonce) };
}
const finish = (credential: unknown, nonce?: string) => post('/setup/admin/verify', { credential }, nonce);
const users = () => site.sql<{ email: string }>('SELECT email FROM users');
const outcomes = (answers: ApiResponse[]) => answers.map((answer) => statusAndCode(answer)).sort();

describe('the setup of a site without users (contract 26)', () => {
  it('saves the title, creates the first user and opens a session of an Admin', async () => {
    const seedInfo = { name: 'Blog', description: expect.any(String), collections: 2, hasContent: true };
    const waiting = { needsSetup: true, needsLink: true, seedInfo, authMode: 'passkey' };
    expect(await status()).toEqual({ ...waiting, step: 'start' });
    const named = await nameSite({ tagline: 'About things' });
    const result = { settings: 2, blockTypes: 0, collections: 2, fields: 6, taxonomies: 2, entries: 0 };
    expect(named.data).toEqual({ success: true, setupComplete: false, result });
    expect(await status()).toEqual({ ...waiting, step: 'admin' });

    const ann = await begin('Ann@Site.example', { name: ' Ann ' });
    expect(ann.answer.headers.get('set-cookie')).toMatch(
      /^cms_setup_nonce=[\w-]{43}; Max-Age=3600; Path=\/_cms\/; HttpOnly; SameSite=Strict$/,
    );
    expect(ann.options).toMatchObject({
      rp: { id: site.host },
      user: { name: 'ann@site.example', displayName: 'Ann' },
    });
    const made = await ann.finish();
    expect(made.data).toEqual({
      success: true,
      user: { id: expect.any(String), email: 'ann@site.example', name: 'Ann', role: 50 },
    });
    expect(made.headers.get('set-cookie')).toMatch(
      /cms_setup_nonce=; Max-Age=0; Path=\/_cms\/; HttpOnly; SameSite=Strict/,
    );
    const admin = site.withSession(String(cookieOf(made, 'cms_session')));
    expect((await admin.get('/auth/me')).data).toMatchObject({ role: 50, isFirstLogin: true });
    expect((await admin.get('/settings')).data).toEqual({ title: 'My site', tagline: 'About things' });
    expect((await admin.get('/auth/passkey')).data.items).toHaveLength(1);
    expect(await status()).toEqual({ needsSetup: false });
    expect((await logIn(site, ann.key)).data.user).toEqual(made.data.user);
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

  it('can set the title again; an omitted tagline is removed', async () => {
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

  it('keeps a limited number of setup attempts', async () => {
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

describe('the setup refuses', () => {
  it.each([
    ['no title', { title: undefined }],
    ['a blank title', { title: ' ' }],
    ['a title that is too long', { title: 'x'.repeat(201) }],
    ['a title that cannot be stored', { title: 'a\u0000' }],
    ['a tagline that is too long', { tagline: 'x'.repeat(501) }],
    ['no word about content', { includeContent: undefined }],
  ])('%s', async (_, more) => {
    expect(statusAndCode(await nameSite(more))).toEqual([400, 'VALIDATION_ERROR']);
    expect((await status()).step).toBe('start');
  });

  it.each([{}, { email: '' }, { email: 'ann' }, { email: 'a@b.example', name: 'x'.repeat(201) }])(
    'the user %j',
    async (body) => {
      expect(statusAndCode(await post('/setup/admin', body))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  it('the passkey before the title, and takes it after', async () => {
    const ann = await begin();
    expect(statusAndCode(await ann.finish())).toEqual([400, 'INVALID_STATE']);
    await nameSite();
    expect((await ann.finish()).status).toBe(200);
  });

  it('the passkey in another browser, or without the first step', async () => {
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

  it('the passkey after its challenge is over', async () => {
    await nameSite();
    const ann = await begin();
    await site.sql("UPDATE passkey_challenges SET expires_at = now() - interval '1 second'");
    expect(statusAndCode(await ann.finish())).toEqual([400, 'CHALLENGE_EXPIRED']);
    expect(await users()).toEqual([]);
  });

  it('a passkey of another site, without creating a user', async () => {
    await nameSite();
    const { options, nonce } = await begin();
    const credential = new SoftwareAuthenticator().register(options, { origin: 'https://evil.example' });
    expect(statusAndCode(await finish(credential, nonce))).toEqual([400, 'VALIDATION_ERROR']);
    expect(await users()).toEqual([]);
    expect((await status()).needsSetup).toBe(true);
  });

  it('everything once it is done', async () => {
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

  it('everything when users were created another way', async () => {
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

  it('requests that a page of another site makes', async () => {
    const headers = { origin: 'https://evil.example' };
    const answer = await site.anonymous().post('/setup', { title: 'x', includeContent: false }, { headers });
    expect(statusAndCode(answer)).toEqual([403, 'CSRF_REJECTED']);
  });
});

describe('concurrent setups create one Admin', () => {
  it('of several browsers', async () => {
    await nameSite();
    const rivals = await Promise.all(['a', 'b', 'c', 'd'].map((name) => begin(`${name}@x.example`)));
    const answers = await Promise.all(rivals.map((rival) => rival.finish()));
    const exists = [400, 'ADMIN_EXISTS'];
    expect(outcomes(answers)).toEqual([[200, ''], exists, exists, exists]);
    const winner = answers.find(({ status }) => status === 200);
    expect(await users()).toEqual([{ email: winner?.data.user.email }]);
    expect(await site.sql('SELECT id FROM passkeys')).toHaveLength(1);
    expect(await site.sql('SELECT id FROM sessions')).toHaveLength(1);
  });

  it('of one browser that sends twice', async () => {
    await nameSite();
    const ann = await begin();
    expect(outcomes(await Promise.all([ann.finish(), ann.finish()]))).toEqual([
      [200, ''],
      [400, 'ADMIN_EXISTS'],
    ]);
  });

  it('does not affect another site', async () => {
    const neighbour = await openSite();
    await nameSite();
    const ann = await begin();
    await ann.finish();
    expect((await neighbour.anonymous().get('/setup/status')).data).toMatchObject({
      needsSetup: true,
      step: 'start',
    });
    await neighbour.close();
  });
});
