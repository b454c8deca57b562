import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, openSite, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.signedIn('admin');
  await site.collection();
});

const read = async (client: Client) => statusAndCode(await client.get('/content/posts'));
/** Polls until a session is rejected, because its end takes time to reach every process. */
const waitUntilRevoked = (client: Client) =>
  eventually(
    () => read(client),
    ([status]) => status !== 200,
  );

describe('session cookie (contract 4)', () => {
  it('authenticates its user with the rights of the role, without scopes', async () => {
    expect(await read(admin)).toEqual([200, '']);
    expect((await admin.post('/content/posts', { data: { title: 'By session' } })).status).toBe(201);
    const reader = await site.signedIn('subscriber');
    expect(statusAndCode(await reader.post('/content/posts', { data: {} }))).toEqual([403, 'FORBIDDEN']);
  });

  it('is stored only as a hash', async () => {
    const rows = JSON.stringify(await site.sql('SELECT * FROM sessions'));
    expect(rows).not.toContain(String(admin.session));
  });

  it('requires X-CMS-Request for writes', async () => {
    const headers = { 'x-cms-request': undefined };
    expect(statusAndCode(await admin.post('/content/posts', { data: {} }, { headers }))).toEqual([
      403,
      'CSRF_REJECTED',
    ]);
    expect((await admin.get('/content/posts', { headers })).status).toBe(200);
  });

  it('that is unknown, of another site or expired returns 401 NOT_AUTHENTICATED', async () => {
    const other = await openSite();
    const otherAdmin = await other.signedIn('admin', 'stranger');
    const expired = await site.signedIn('admin', 'late');
    await site.sql(
      `UPDATE sessions SET expires_at = now() - interval '1 second'
       WHERE user_id = (SELECT id FROM users WHERE email LIKE 'late@%')`,
    );
    for (const session of ['unknown', '', String(otherAdmin.session), String(expired.session)]) {
      const response = await site
        .anonymous()
        .get('/content/posts', { headers: { cookie: `cms_session=${session}` } });
      expect(statusAndCode(response)).toEqual([401, 'NOT_AUTHENTICATED']);
    }
    await other.close();
  });

  it('of a disabled user returns ACCOUNT_DISABLED once and is deleted', async () => {
    const client = await site.signedIn('editor', 'disabled');
    await site.sql("UPDATE users SET disabled = true WHERE email LIKE 'disabled@%'");
    expect(await read(client)).toEqual([403, 'ACCOUNT_DISABLED']);
    expect(await read(client)).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('is extended by use, to at most 90 days', async () => {
    const client = await site.signedIn('editor', 'lasting');
    const of = `FROM users u WHERE u.id = user_id AND u.email LIKE 'lasting@%'`;
    await site.sql(
      `UPDATE sessions SET last_seen_at = now() - interval '2 minutes', expires_at = now() + interval '1 hour',
         created_at = now() - interval '89 days' ${of}`,
    );
    await read(client);
    const [row] = await site.sql<{ hours: number }>(
      `SELECT round(extract(epoch FROM expires_at - now()) / 3600)::integer AS hours FROM sessions JOIN users u ON u.id = user_id
       WHERE u.email LIKE 'lasting@%'`,
    );
    expect(row?.hours).toBe(24);
  });

  it.each([
    [50, 50],
    [70, 0],
  ])('extended %i minutes ago expires %i minutes before one that is new', async (passed, minutes) => {
    const client = await site.signedIn('editor', `used-${passed}`);
    const of = `u.id = user_id AND u.email LIKE 'used-${passed}@%'`;
    await site.sql(
      `UPDATE sessions SET last_seen_at = now() - interval '2 minutes',
         expires_at = now() + interval '14 days' - make_interval(mins => $1) FROM users u WHERE ${of}`,
      [passed],
    );
    await read(client);
    const rows = await site.sql(
      `SELECT round(extract(epoch FROM now() + interval '14 days' - expires_at) / 60)::integer AS minutes,
         last_seen_at > now() - interval '1 minute' AS "isUsed" FROM sessions, users u WHERE ${of}`,
    );
    expect(rows).toEqual([{ minutes, isUsed: true }]);
  });
});

describe('stored sessions', () => {
  const count = async (name: string) => {
    const of = "SELECT s.id FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email LIKE $1 || '@%'";
    return (await site.sql(of, [name])).length;
  };

  it('are deleted after they have expired', async () => {
    for (const name of ['gone', 'gone', 'gone']) await site.signedIn('editor', name);
    await site.sql(
      `UPDATE sessions SET expires_at = now() - interval '1 second'
       WHERE user_id = (SELECT id FROM users WHERE email LIKE 'gone@%')`,
    );
    await site.signedIn('editor', 'another-user');
    expect(await count('gone')).toBe(0);
  });

  it('are at most 100 per user; the least recently used one is deleted', async () => {
    const [oldest, recent] = [await site.signedIn('editor', 'many'), await site.signedIn('editor', 'many')];
    await site.sql(
      `INSERT INTO sessions (id, token_hash, user_id, last_seen_at, expires_at)
       SELECT 'many' || n, 'many' || n, id, now() - interval '1 hour', now() + interval '1 day'
       FROM users, generate_series(1, 98) n WHERE email LIKE 'many@%'`,
    );
    await site.sql(
      `UPDATE sessions SET last_seen_at = now() - interval '2 hours'
       WHERE id = (SELECT min(s.id) FROM sessions s JOIN users u ON u.id = s.user_id
         WHERE u.email LIKE 'many@%' AND s.id NOT LIKE 'many%')`,
    );
    const newest = await site.signedIn('editor', 'many');
    expect(await count('many')).toBe(100);
    expect(await read(oldest)).toEqual([401, 'NOT_AUTHENTICATED']);
    for (const client of [recent, newest]) expect(await read(client)).toEqual([200, '']);
  });
});

describe('/auth/me (contract 30)', () => {
  it('returns the caller for a session and for any token', async () => {
    const expected = {
      id: expect.any(String),
      email: `admin@${site.tenant}.example`,
      name: null,
      role: 50,
      avatarUrl: null,
      isFirstLogin: true,
    };
    expect((await admin.get('/auth/me')).data).toEqual(expected);
    expect((await (await site.withScopes('admin', ['content:read'])).get('/auth/me')).data).toEqual(expected);
    expect(statusAndCode(await site.anonymous().get('/auth/me'))).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('dismisses the welcome and returns UNKNOWN_ACTION for other actions', async () => {
    const client = await site.signedIn('author', 'welcomed');
    expect((await client.post('/auth/me', { action: 'dismissWelcome' })).data).toEqual({ success: true });
    expect((await client.get('/auth/me')).data.isFirstLogin).toBe(false);
    expect(statusAndCode(await client.post('/auth/me', { action: 'x' }))).toEqual([400, 'UNKNOWN_ACTION']);
  });
});

describe('POST /auth/logout (contract 30)', () => {
  it('ends the session at once and clears the cookie', async () => {
    const client = await site.signedIn('editor', 'leaving');
    expect(await read(client)).toEqual([200, '']);
    const response = await client.post('/auth/logout');
    expect([response.status, response.data]).toEqual([200, { success: true, message: 'Signed out' }]);
    expect(response.headers.get('set-cookie')).toMatch(/^cms_session=; Max-Age=0; Path=\/; HttpOnly/);
    expect(await waitUntilRevoked(client)).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('redirects only to paths of this site', async () => {
    const logOut = async (redirect: string) => {
      const client = await site.signedIn('editor', 'leaving');
      const response = await client.post(`/auth/logout?redirect=${encodeURIComponent(redirect)}`);
      return [response.status, response.headers.get('location')];
    };
    expect(await logOut('/_cms/admin')).toEqual([302, '/_cms/admin']);
    for (const target of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '\\\\evil',
      'x',
      '/a\nb',
    ])
      expect(await logOut(target)).toEqual([200, null]);
  });

  it('succeeds without a session', async () => {
    expect((await site.anonymous().post('/auth/logout')).data).toMatchObject({ success: true });
  });
});

describe('/auth/sessions', () => {
  it("lists the caller's sessions, marks the current one and deletes one", async () => {
    const [current, second] = [await site.signedIn('editor', 'two'), await site.signedIn('editor', 'two')];
    const { items } = (await current.get('/auth/sessions')).data as {
      items: { id: string; isCurrent: boolean }[];
    };
    expect(items).toHaveLength(2);
    expect(items[0]).toMatchObject({
      userAgent: 'Tests',
      clientAddress: null,
      createdAt: expect.any(String),
    });
    const other = items.find(({ isCurrent }) => !isCurrent);
    expect((await current.delete(`/auth/sessions/${other?.id}`)).data).toEqual({ ended: true });
    expect(await waitUntilRevoked(second)).toEqual([401, 'NOT_AUTHENTICATED']);
    expect(await read(current)).toEqual([200, '']);
  });

  it('returns 404 NOT_FOUND for sessions of other users', async () => {
    const owner = await site.signedIn('editor', 'mine');
    const [row] = await site.sql<{ id: string }>(
      "SELECT s.id FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email LIKE 'mine@%'",
    );
    expect(statusAndCode(await admin.delete(`/auth/sessions/${row?.id}`))).toEqual([404, 'NOT_FOUND']);
    expect(await read(owner)).toEqual([200, '']);
  });

  it('rejects tokens and anonymous requests', async () => {
    const token = await site.as('admin');
    expect(statusAndCode(await token.get('/auth/sessions'))).toEqual([403, 'FORBIDDEN']);
    expect(statusAndCode(await site.anonymous().get('/auth/sessions'))).toEqual([401, 'NOT_AUTHENTICATED']);
  });
});

describe('POST /admin/api-tokens (contract 31)', () => {
  it('creates a token with the requested scopes and shows it once', async () => {
    const response = await admin.post('/admin/api-tokens', { name: ' Deploy ', scopes: ['content:read'] });
    expect(response.status).toBe(201);
    const { token, info } = response.data;
    expect(token).toMatch(/^ec_pat_/);
    expect(info).toMatchObject({
      name: 'Deploy',
      scopes: ['content:read'],
      prefix: token.slice(0, 11),
      expiresAt: null,
    });
    const client = site.withToken(token);
    expect((await client.get('/content/posts')).status).toBe(200);
    expect(statusAndCode(await client.post('/content/posts', { data: {} }))).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
    ]);
    expect(JSON.stringify((await admin.get('/admin/api-tokens')).data)).not.toContain(token);
  });

  it.each([
    ['an unknown scope', { scopes: ['everything'] }],
    ['no scope', { scopes: [] }],
    ['a blank name', { name: ' ' }],
    ['a name that is too long', { name: 'x'.repeat(101) }],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['an expiry without a zone', { expiresAt: '2099-01-01T00:00:00' }],
  ])('returns 400 VALIDATION_ERROR for %s', async (_, more) => {
    const response = await admin.post('/admin/api-tokens', { name: 'x', scopes: ['admin'], ...more });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('returns 403 FORBIDDEN to other roles', async () => {
    const editor = await site.signedIn('editor');
    expect(statusAndCode(await editor.post('/admin/api-tokens', { name: 'x', scopes: ['admin'] }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
  });
});
