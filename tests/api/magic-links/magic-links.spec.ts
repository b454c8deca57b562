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

/** A user, and the token of a link that was mailed to them. */
async function linkOf(name: string): Promise<string> {
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

describe('asking for a link (document 1, Login methods 2; contract 28)', () => {
  it('leads to the site at its own port, whichever one the request names', async () => {
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

  it('stores no token', async () => {
    const token = await linkOf('hashed');
    const rows = JSON.stringify([
      await site.sql('SELECT * FROM magic_links'),
      await site.sql('SELECT * FROM pending_mails'),
    ]);
    expect(rows).not.toContain(token);
    expect(rows).toContain(addressOf('hashed'));
  });

  it('sends nothing to a disabled user', async () => {
    await site.another('editor', 'gone');
    await site.sql('UPDATE users SET disabled = true WHERE email = $1', [addressOf('gone')]);
    await send(addressOf('gone'));
    await linkOf('after-gone');
    expect(await site.mailsTo(addressOf('gone'), 0)).toEqual([]);
  });

  it('sends no mail after three requests in five minutes from one client, with the same response', async () => {
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

  it('sends at most five mails to one address', async () => {
    await site.another('editor', 'flooded');
    for (let time = 1; time <= 5; time += 1) {
      expect((await send(addressOf('flooded'))).status).toBe(200);
      // One that waits still would stand for the next.
      expect(await site.mailsTo(addressOf('flooded'), time)).toHaveLength(time);
    }
    expect((await send(addressOf('flooded'))).status).toBe(200);
    await linkOf('after-flood');
    expect(await site.mailsTo(addressOf('flooded'), 5)).toHaveLength(5);
  });

  it('does not reveal that the mail server rejected the mail', async () => {
    await site.another('editor', 'refused');
    const rejected = await send(addressOf('refused'));
    expect([rejected.status, rejected.body]).toEqual([200, (await send(addressOf('nobody'))).body]);
    const waiting = await site.sql('SELECT attempts FROM pending_mails WHERE email = $1', [
      addressOf('refused'),
    ]);
    expect(waiting).toHaveLength(1);
  });

  it('is mailed on retry when the mail server was busy', async () => {
    expect((await use(await linkOf('busy'))).status).toBe(303);
  });
});

describe('following a link', () => {
  it('shows a page that asks, and changes nothing', async () => {
    const token = await linkOf('page');
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

  it('without a token leads to the login page', async () => {
    expect(target(await visitor.get(verify))).toEqual(failed('missing_token'));
  });

  it('signs in by the form of the page, once', async () => {
    const token = await linkOf('form');
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

  it('signs in by the form in a browser that has a session already', async () => {
    const { session } = await site.signedIn('author', 'before');
    const token = await linkOf('after');
    const csrf = 'c'.repeat(43);
    const headers = {
      cookie: `cms_session=${session}; cms_link_csrf=${csrf}`,
      origin: `http://${site.host}`,
    };
    const response = await submit({ token, csrf }, headers);
    const me = await site.withSession(cookieOf(response, 'cms_session') ?? '').get('/auth/me');
    expect(me.data.email).toBe(addressOf('after'));
  });

  it('rejects a form without the CSRF token', async () => {
    const token = await linkOf('forged');
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

  it('signs in one of two concurrent browsers', async () => {
    const token = await linkOf('twice');
    const responses = await Promise.all([use(token), use(token), use(token)]);
    expect(responses.map((response) => String(target(response)[1])).sort()).toEqual([
      '/_cms/admin',
      '/_cms/admin/login?error=invalid_link',
      '/_cms/admin/login?error=invalid_link',
    ]);
    expect(responses.filter((response) => cookieOf(response, 'cms_session') !== undefined)).toHaveLength(1);
  });

  it('redirects only to paths of the site', async () => {
    const cases = [
      ['/_cms/admin/content?x=1', '/_cms/admin/content?x=1'],
      ['//evil.example', '/_cms/admin'],
      ['/\\evil.example', '/_cms/admin'],
      ['https://evil.example', '/_cms/admin'],
      ['/\nevil', '/_cms/admin'],
    ];
    for (const [index, [redirect, expected]] of cases.entries())
      expect(target(await use(await linkOf(`to${index}`), { redirect }))).toEqual([303, expected]);
  });

  it('expires after fifteen minutes', async () => {
    const [late, timely] = [await linkOf('late'), await linkOf('timely')];
    const age = `UPDATE magic_links SET expires_at = expires_at - $2 * interval '1 second' WHERE email = $1`;
    await site.sql(age, [addressOf('late'), 15 * 60 + 1]);
    await site.sql(age, [addressOf('timely'), 14 * 60]);
    expect(target(await use(late))).toEqual(failed('link_expired'));
    expect(target(await use(timely))).toEqual([303, '/_cms/admin']);
  });

  it('fails for an invented link, another site, a disabled user, or a changed address', async () => {
    const [disabled, moved, here] = [await linkOf('disabled'), await linkOf('moved'), await linkOf('here')];
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

describe('a recovery link (contract 24)', () => {
  const idOf = async (name: string) => {
    const [user] = await site.sql<{ id: string }>('SELECT id FROM users WHERE email = $1', [addressOf(name)]);
    return user?.id ?? '';
  };

  it('is sent to a user by an administrator', async () => {
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

  it('requires an administrator with the scope and an existing user', async () => {
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
