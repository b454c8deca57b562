import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, openSite, statusAndCode, type Client, type Site } from '@quire/testing';

let site: Site;
let admin: Client;

beforeAll(async () => {
  site = await openSite();
  admin = await site.signedIn('admin');
  await site.collection();
});
afterAll(() => site.close());

const read = async (client: Client) => statusAndCode(await client.get('/content/posts'));
/** Asks until a session is refused: its end has to reach every process. */
const waitUntilRevoked = (client: Client) =>
  eventually(
    () => read(client),
    ([status]) => status !== 200,
  );

describe('a session (contract 4)', () => {
  it('lets its user in by role, without scopes', async () => {
    expect(await read(admin)).toEqual([200, '']);
    expect((await admin.post('/content/posts', { data: { title: 'By session' } })).status).toBe(201);
    const reader = await site.signedIn('subscriber');
    expect(statusAndCode(await reader.post('/content/posts', { data: {} }))).toEqual([403, 'FORBIDDEN']);
  });

  it('is stored as a hash alone', async () => {
    const rows = JSON.stringify(await site.sql('SELECT * FROM sessions'));
    expect(rows).not.toContain(String(admin.session));
  });

  it('may not write without X-CMS-Request', async () => {
    const headers = { 'x-cms-request': undefined };
    expect(statusAndCode(await admin.post('/content/posts', { data: {} }, { headers }))).toEqual([
      403,
      'CSRF_REJECTED',
    ]);
    expect((await admin.get('/content/posts', { headers })).status).toBe(200);
  });

  it('that is made up, of another site, or over is nobody', async () => {
    const neighbour = await openSite();
    const there = await neighbour.signedIn('admin', 'stranger');
    const over = await site.signedIn('admin', 'late');
    await site.sql(
      `UPDATE sessions SET expires_at = now() - interval '1 second'
       WHERE user_id = (SELECT id FROM users WHERE email LIKE 'late@%')`,
    );
    for (const session of ['made-up', '', String(there.session), String(over.session)]) {
      const answer = await site
        .anonymous()
        .get('/content/posts', { headers: { cookie: `cms_session=${session}` } });
      expect(statusAndCode(answer)).toEqual([401, 'NOT_AUTHENTICATED']);
    }
    await neighbour.close();
  });

  it('of a disabled user is refused with ACCOUNT_DISABLED, and ended', async () => {
    const client = await site.signedIn('editor', 'disabled');
    await site.sql("UPDATE users SET disabled = true WHERE email LIKE 'disabled@%'");
    expect(await read(client)).toEqual([403, 'ACCOUNT_DISABLED']);
    expect(await read(client)).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('lasts on with its use, and never beyond ninety days', async () => {
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
});

describe('the sessions of a site', () => {
  const count = async (name: string) => {
    const of = "SELECT s.id FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email LIKE $1 || '@%'";
    return (await site.sql(of, [name])).length;
  };

  it('are forgotten when they are over, although nobody presents them again', async () => {
    for (const name of ['gone', 'gone', 'gone']) await site.signedIn('editor', name);
    await site.sql(
      `UPDATE sessions SET expires_at = now() - interval '1 second'
       WHERE user_id = (SELECT id FROM users WHERE email LIKE 'gone@%')`,
    );
    await site.signedIn('editor', 'somebody-else');
    expect(await count('gone')).toBe(0);
  });

  it('are a hundred for a user at most: the one that was used longest ago ends', async () => {
    const [oldest, kept] = [await site.signedIn('editor', 'many'), await site.signedIn('editor', 'many')];
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
    for (const client of [kept, newest]) expect(await read(client)).toEqual([200, '']);
  });
});

describe('auth/me (contract 30)', () => {
  it('says who is signed in, by session and by any token', async () => {
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

  it('dismisses the welcome, and knows no other action', async () => {
    const client = await site.signedIn('author', 'welcomed');
    expect((await client.post('/auth/me', { action: 'dismissWelcome' })).data).toEqual({ success: true });
    expect((await client.get('/auth/me')).data.isFirstLogin).toBe(false);
    expect(statusAndCode(await client.post('/auth/me', { action: 'x' }))).toEqual([400, 'UNKNOWN_ACTION']);
  });
});

describe('signing out (contract 30)', () => {
  it('ends the session at once and clears the cookie', async () => {
    const client = await site.signedIn('editor', 'leaving');
    expect(await read(client)).toEqual([200, '']);
    const answer = await client.post('/auth/logout');
    expect([answer.status, answer.data]).toEqual([200, { success: true, message: 'Signed out' }]);
    expect(answer.headers.get('set-cookie')).toMatch(/^cms_session=; Max-Age=0; Path=\/; HttpOnly/);
    expect(await waitUntilRevoked(client)).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('leads to a path of this site where one is asked for, and nowhere else', async () => {
    const leave = async (redirect: string) => {
      const client = await site.signedIn('editor', 'leaving');
      const answer = await client.post(`/auth/logout?redirect=${encodeURIComponent(redirect)}`);
      return [answer.status, answer.headers.get('location')];
    };
    expect(await leave('/_cms/admin')).toEqual([302, '/_cms/admin']);
    for (const target of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '\\\\evil',
      'x',
      '/a\nb',
    ])
      expect(await leave(target)).toEqual([200, null]);
  });

  it('without a session is a success', async () => {
    expect((await site.anonymous().post('/auth/logout')).data).toMatchObject({ success: true });
  });
});

describe('own sessions', () => {
  it('are listed, the current one marked, and ended one by one', async () => {
    const [here, there] = [await site.signedIn('editor', 'two'), await site.signedIn('editor', 'two')];
    const { items } = (await here.get('/auth/sessions')).data as {
      items: { id: string; isCurrent: boolean }[];
    };
    expect(items).toHaveLength(2);
    expect(items[0]).toMatchObject({
      userAgent: 'Tests',
      clientAddress: null,
      createdAt: expect.any(String),
    });
    const other = items.find(({ isCurrent }) => !isCurrent);
    expect((await here.delete(`/auth/sessions/${other?.id}`)).data).toEqual({ ended: true });
    expect(await waitUntilRevoked(there)).toEqual([401, 'NOT_AUTHENTICATED']);
    expect(await read(here)).toEqual([200, '']);
  });

  it('of others are not there', async () => {
    const mine = await site.signedIn('editor', 'mine');
    const [row] = await site.sql<{ id: string }>(
      "SELECT s.id FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email LIKE 'mine@%'",
    );
    expect(statusAndCode(await admin.delete(`/auth/sessions/${row?.id}`))).toEqual([404, 'NOT_FOUND']);
    expect(await read(mine)).toEqual([200, '']);
  });

  it('are nothing for tokens', async () => {
    const token = await site.as('admin');
    expect(statusAndCode(await token.get('/auth/sessions'))).toEqual([403, 'FORBIDDEN']);
    expect(statusAndCode(await site.anonymous().get('/auth/sessions'))).toEqual([401, 'NOT_AUTHENTICATED']);
  });
});

describe('personal access tokens of a signed-in administrator (contract 31)', () => {
  it('are made with the scopes that are asked for, and shown once', async () => {
    const answer = await admin.post('/admin/api-tokens', { name: ' Deploy ', scopes: ['content:read'] });
    expect(answer.status).toBe(201);
    const { token, info } = answer.data;
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
    ['an end that has passed', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['an end without a zone', { expiresAt: '2099-01-01T00:00:00' }],
  ])('with %s are refused', async (_, more) => {
    const answer = await admin.post('/admin/api-tokens', { name: 'x', scopes: ['admin'], ...more });
    expect(statusAndCode(answer)).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('are for administrators alone', async () => {
    const editor = await site.signedIn('editor');
    expect(statusAndCode(await editor.post('/admin/api-tokens', { name: 'x', scopes: ['admin'] }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
  });
});
