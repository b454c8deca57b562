import { beforeAll, describe, expect, it } from '@jest/globals';
import { cookieOf, openSite, statusAndCode, useSite, type ApiResponse, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;
let visitor: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  visitor = site.anonymous();
});

const addressOf = (name: string) => `${name}@${site.tenant}.example`;
const send = (email: string, headers = {}) => visitor.post('/auth/magic-link/send', { email }, { headers });
const verify = '/auth/magic-link/verify';

/** Creates a user and sends them a link. @returns the token of the link */
async function linkFor(name: string): Promise<string> {
  await site.another('editor', name);
  const email = addressOf(name);
  const before = (await site.mailsTo(email, 0)).length;
  expect((await send(email)).status).toBe(200);
  return tokenOf((await site.mailsTo(email, before + 1)).at(-1)?.link ?? '');
}

const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? '';
const use = (token?: string, more: object = {}) => visitor.post(verify, { token, ...more });
const target = ({ status, headers }: ApiResponse) => [status, headers.get('location')];
const failed = (code: string) => [303, `/_cms/admin/login?error=${code}`];

/** Sends the form of the confirmation page. */
function submit(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<ApiResponse> {
  return visitor.post(verify, undefined, {
    rawBody: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

describe('POST /auth/magic-link/send (document 1, Login methods 2; contract 28)', () => {
  it('mails a link to the port of the site, ignoring the port of the request', async () => {
    await site.another('editor', 'porter');
    const elsewhere = site.anonymous(`${site.host}:6666`);
    await elsewhere.post('/auth/magic-link/send', { email: addressOf('porter') });
    const [mail] = await site.mailsTo(addressOf('porter'));
    expect(new URL(mail?.link ?? '').origin).toBe(`http://${site.host}`);
  });

  it('returns the same response for known and unknown addresses, and mails only users', async () => {
    await site.another('editor', 'ann');
    const [known, unknown] = [
      await send(` ${addressOf('Ann').toUpperCase()} `),
      await send(addressOf('nobody')),
    ];
    expect(known.body).toEqual(unknown.body);
    expect([known.status, unknown.status]).toEqual([200, 200]);
    const names = (response: ApiResponse) => [...response.headers.keys()].sort();
    expect(names(known)).toEqual(names(unknown));
    const [mail] = await site.mailsTo(addressOf('ann'));
    expect(mail?.headers['subject']).toBe(`Sign in to ${site.host}`);
    expect(mail?.headers['from']).toBe('Quire <quire@site.example>');
    expect(mail?.link).toMatch(
      new RegExp(`^http://${site.host}/_cms/api/auth/magic-link/verify\\?token=[\\w-]{43}$`),
    );
    expect(mail?.html).toContain(`href="${mail?.link}"`);
    await send(addressOf('ann'));
    await site.mailsTo(addressOf('ann'), 2);
    expect(await site.mailsTo(addressOf('nobody'), 0)).toEqual([]);
  });

  it('returns 400 for an invalid address', async () => {
    for (const email of ['ann', '', 'a@b.example\r\nBcc: c@d.example', 'a@b.example, c@d.example'])
      expect(statusAndCode(await send(email))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('stores only a hash of the token', async () => {
    const token = await linkFor('hashed');
    const rows = JSON.stringify([
      await site.sql('SELECT * FROM magic_links'),
      await site.sql('SELECT * FROM cms_auth.pending_mails WHERE tenant_id = $1', [site.tenant]),
    ]);
    expect(rows).not.toContain(token);
    expect(rows).toContain(addressOf('hashed'));
  });

  it('sends no mail to a disabled user', async () => {
    await site.another('editor', 'disabled-user');
    await site.sql('UPDATE users SET disabled = true WHERE email = $1', [addressOf('disabled-user')]);
    await send(addressOf('disabled-user'));
    await linkFor('after-disabled');
    expect(await site.mailsTo(addressOf('disabled-user'), 0)).toEqual([]);
  });

  it('sends mails for 3 requests of one client in five minutes, and returns the same response to further ones', async () => {
    for (const name of ['limit1', 'limit2', 'limit3', 'limit4', 'limit5']) await site.another('editor', name);
    const from = { 'x-real-ip': '192.0.2.77' };
    const bodies = [];
    for (const name of ['limit1', 'limit2', 'limit3', 'limit4'])
      bodies.push((await send(addressOf(name), from)).body);
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect((await send(addressOf('limit5'), { 'x-real-ip': '192.0.2.78' })).status).toBe(200);
    await site.mailsTo(addressOf('limit5'));
    expect(await site.mailsTo(addressOf('limit3'))).toHaveLength(1);
    expect(await site.mailsTo(addressOf('limit4'), 0)).toEqual([]);
  });

  it('sends at most 5 mails to one address', async () => {
    await site.another('editor', 'flooded');
    for (let time = 1; time <= 5; time += 1) {
      expect((await send(addressOf('flooded'))).status).toBe(200);
      // A pending mail to the same address would replace the next one.
      expect(await site.mailsTo(addressOf('flooded'), time)).toHaveLength(time);
    }
    expect((await send(addressOf('flooded'))).status).toBe(200);
    await linkFor('after-flood');
    expect(await site.mailsTo(addressOf('flooded'), 5)).toHaveLength(5);
  });

  it('returns the same response when the mail server rejects the mail', async () => {
    await site.another('editor', 'bounced');
    const rejected = await send(addressOf('bounced'));
    expect([rejected.status, rejected.body]).toEqual([200, (await send(addressOf('nobody'))).body]);
    const waiting = await site.sql('SELECT attempts FROM cms_auth.pending_mails WHERE email = $1', [
      addressOf('bounced'),
    ]);
    expect(waiting).toHaveLength(1);
  });

  it('sends the mail on retry when the mail server was busy', async () => {
    expect((await use(await linkFor('busy'))).status).toBe(303);
  });
});

describe('GET and POST /auth/magic-link/verify', () => {
  it('return a confirmation page for GET, which changes nothing', async () => {
    const token = await linkFor('page');
    const path = `${verify}?token=${token}&redirect=${encodeURIComponent('/a"><script>')}`;
    const pages = [await visitor.get(path), await visitor.get(path)];
    for (const page of pages) {
      expect(page.status).toBe(200);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(page.headers.get('referrer-policy')).toBe('same-origin');
      expect(page.body).toContain('<html lang="en">');
      expect(page.body).toContain('value="/a&quot;&gt;&lt;script&gt;"');
      expect(page.body).not.toContain('<script');
      expect(cookieOf(page, 'cms_session')).toBeUndefined();
    }
    expect((await use(token)).status).toBe(303);
  });

  it('redirect to the login page without a token', async () => {
    expect(target(await visitor.get(verify))).toEqual(failed('missing_token'));
  });

  it('sign in once with the form of the page', async () => {
    const token = await linkFor('form');
    const page = await visitor.get(`${verify}?token=${token}`);
    const csrf = cookieOf(page, 'cms_link_csrf') ?? '';
    expect(page.headers.get('set-cookie')).toMatch(
      /Path=\/_cms\/api\/auth\/magic-link\/verify; HttpOnly; SameSite=Strict/,
    );
    expect(page.body).toContain(`name="csrf" value="${csrf}"`);
    const headers = { cookie: `cms_link_csrf=${csrf}`, origin: `http://${site.host}` };
    const response = await submit({ token, csrf }, headers);
    expect(target(response)).toEqual([303, '/_cms/admin']);
    const me = await site.withSession(cookieOf(response, 'cms_session') ?? '').get('/auth/me');
    expect(me.data.email).toBe(addressOf('form'));
    expect(target(await submit({ token, csrf }, headers))).toEqual(failed('invalid_link'));
    const [user] = await site.sql('SELECT email_verified FROM users WHERE email = $1', [addressOf('form')]);
    expect(user).toEqual({ email_verified: true });
  });

  it('sign in with the form in a browser with another session', async () => {
    const { session } = await site.signedIn('author', 'before');
    const token = await linkFor('after');
    const csrf = 'c'.repeat(43);
    const headers = {
      cookie: `cms_session=${session}; cms_link_csrf=${csrf}`,
      origin: `http://${site.host}`,
    };
    const response = await submit({ token, csrf }, headers);
    const me = await site.withSession(cookieOf(response, 'cms_session') ?? '').get('/auth/me');
    expect(me.data.email).toBe(addressOf('after'));
  });

  it('reject a form without the CSRF token', async () => {
    const token = await linkFor('forged');
    const csrf = 'c'.repeat(43);
    for (const [fields, cookie] of [
      [{ token }, `cms_link_csrf=${csrf}`],
      [{ token, csrf }, ''],
      [{ token, csrf: 'd'.repeat(43) }, `cms_link_csrf=${csrf}`],
      [{ token, csrf: '' }, 'cms_link_csrf='],
    ] as const)
      expect(target(await submit(fields, { cookie }))).toEqual(failed('verification_failed'));
    const foreign = await submit(
      { token, csrf },
      { cookie: `cms_link_csrf=${csrf}`, origin: 'https://evil.example' },
    );
    expect(statusAndCode(foreign)).toEqual([403, 'CSRF_REJECTED']);
    for (const type of [' Application/X-WWW-Form-Urlencoded', 'APPLICATION/x-www-form-urlencoded;a=b'])
      expect(target(await submit({ token }, { 'content-type': type }))).toEqual(
        failed('verification_failed'),
      );
    expect((await use(token)).status).toBe(303);
  });

  it('sign in once when 3 requests race', async () => {
    const token = await linkFor('twice');
    const responses = await Promise.all([use(token), use(token), use(token)]);
    expect(responses.map((response) => String(target(response)[1])).sort()).toEqual([
      '/_cms/admin',
      '/_cms/admin/login?error=invalid_link',
      '/_cms/admin/login?error=invalid_link',
    ]);
    expect(responses.filter((response) => cookieOf(response, 'cms_session') !== undefined)).toHaveLength(1);
  });

  it('redirect only to paths of the site', async () => {
    const cases = [
      ['/_cms/admin/content?x=1', '/_cms/admin/content?x=1'],
      ['//evil.example', '/_cms/admin'],
      ['/\\evil.example', '/_cms/admin'],
      ['https://evil.example', '/_cms/admin'],
      ['/\nevil', '/_cms/admin'],
    ];
    for (const [index, [redirect, expected]] of cases.entries())
      expect(target(await use(await linkFor(`to${index}`), { redirect }))).toEqual([303, expected]);
  });

  it('redirect with link_expired after fifteen minutes', async () => {
    const [late, timely] = [await linkFor('late'), await linkFor('timely')];
    const age = `UPDATE magic_links SET expires_at = expires_at - $2 * interval '1 second' WHERE email = $1`;
    await site.sql(age, [addressOf('late'), 15 * 60 + 1]);
    await site.sql(age, [addressOf('timely'), 14 * 60]);
    expect(target(await use(late))).toEqual(failed('link_expired'));
    expect(target(await use(timely))).toEqual([303, '/_cms/admin']);
  });

  it('redirect with an error for an unknown link, another site, a disabled user or a changed address', async () => {
    const [disabled, moved, here] = [
      await linkFor('disabled'),
      await linkFor('moved'),
      await linkFor('here'),
    ];
    await site.sql('UPDATE users SET disabled = true WHERE email = $1', [addressOf('disabled')]);
    await site.sql(`UPDATE users SET email = 'else@site.example' WHERE email = $1`, [addressOf('moved')]);
    const neighbour = await openSite();
    expect(target(await neighbour.anonymous().post(verify, { token: here }))).toEqual(failed('invalid_link'));
    await neighbour.close();
    expect(target(await use('x'.repeat(43)))).toEqual(failed('invalid_link'));
    expect(target(await use())).toEqual(failed('missing_token'));
    expect(target(await use('x'.repeat(300)))).toEqual(failed('verification_failed'));
    expect(target(await use(disabled))).toEqual(failed('user_not_found'));
    expect(target(await use(moved))).toEqual(failed('invalid_link'));
  });
});

describe('POST /admin/users/{id}/send-recovery (contract 24)', () => {
  const idOf = async (name: string) => {
    const [user] = await site.sql<{ id: string }>('SELECT id FROM users WHERE email = $1', [addressOf(name)]);
    return user?.id ?? '';
  };

  it('mails a link to the user', async () => {
    await site.another('author', 'lost');
    const response = await admin.post(`/admin/users/${await idOf('lost')}/send-recovery`);
    expect([response.status, response.data.success]).toEqual([200, true]);
    const [mail] = await site.mailsTo(addressOf('lost'));
    expect(target(await use(tokenOf(mail?.link ?? '')))).toEqual([303, '/_cms/admin']);
    const events = await site.sql(
      `SELECT action, details FROM audit_log WHERE target_type = 'user' AND target_id = $1 ORDER BY id`,
      [await idOf('lost')],
    );
    expect(events).toEqual([
      { action: 'user.recovery-sent', details: {} },
      { action: 'session.opened', details: { method: 'magic-link' } },
    ]);
  });

  it('requires an administrator with the scope admin, and returns 404 for an unknown user', async () => {
    await site.another('author', 'target');
    const path = `/admin/users/${await idOf('target')}/send-recovery`;
    for (const role of ['editor', 'author', 'contributor', 'subscriber'] as const)
      expect(statusAndCode(await (await site.as(role)).post(path))).toEqual([403, 'FORBIDDEN']);
    expect(statusAndCode(await visitor.post(path))).toEqual([401, 'NOT_AUTHENTICATED']);
    const narrow = await site.withScopes('admin', ['content:write']);
    expect(statusAndCode(await narrow.post(path))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(statusAndCode(await admin.post('/admin/users/nobody/send-recovery'))).toEqual([404, 'NOT_FOUND']);
  });
});
