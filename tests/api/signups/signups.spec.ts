import { beforeAll, describe, expect, it } from '@jest/globals';
import { cookieOf, SoftwareAuthenticator, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let visitor: Client;

beforeAll(async () => {
  visitor = site.anonymous();
  await site.sql(
    `INSERT INTO allowed_domains (domain, default_role, enabled)
     VALUES ('open.example', 20, true), ('closed.example', 50, false), ('xn--bcher-kva.example', 10, true),
       ('leaving.example', 30, true)`,
  );
});

const request = (email: string, headers = {}) => visitor.post('/auth/signup/request', { email }, { headers });
const read = (token: string) => visitor.get(`/auth/signup/verify?token=${token}`);

async function linkFor(email: string): Promise<string> {
  const before = (await site.mailsTo(email, 0)).length;
  expect((await request(email)).status).toBe(200);
  const mail = (await site.mailsTo(email, before + 1)).at(-1);
  return new URL(mail?.link ?? '').searchParams.get('token') ?? '';
}

async function passkeyFor(token: string): Promise<object> {
  const { data } = await visitor.post('/auth/signup/register-options', { token });
  return new SoftwareAuthenticator().register(data.options, { origin: `http://${site.host}` });
}

const complete = (token: string, credential: object) =>
  visitor.post('/auth/signup/complete', { token, credential, name: 'New' });

describe('sign-up by e-mail link (document 1, Login methods; contract 28)', () => {
  it('creates a user with the role of the domain, a passkey and a session', async () => {
    const token = await linkFor('ann@open.example');
    const [mail] = await site.mailsTo('ann@open.example');
    expect(mail?.link).toMatch(new RegExp(`^http://${site.host}/_cms/admin/signup\\?token=[\\w-]{43}$`));
    const user = { email: 'ann@open.example', role: 20 };
    expect((await read(token)).data).toEqual({ success: true, ...user, roleName: 'CONTRIBUTOR' });
    const completed = await complete(token, await passkeyFor(token));
    expect(completed.data).toEqual({ success: true, user: { id: expect.any(String), name: 'New', ...user } });
    const me = await site.withSession(cookieOf(completed, 'cms_session') ?? '').get('/auth/me');
    expect(me.data).toMatchObject(user);
    const rows = await site.sql('SELECT email_verified FROM users WHERE email = $1', [user.email]);
    expect(rows).toEqual([{ email_verified: true }]);
    const events = await site.sql('SELECT action, details FROM audit_log WHERE actor_id = $1 ORDER BY id', [
      completed.data.user.id,
    ]);
    expect(events).toEqual([
      { action: 'user.created', details: { role: 20, method: 'signup' } },
      { action: 'session.opened', details: { method: 'signup' } },
    ]);
    expect(statusAndCode(await read(token))).toEqual([404, 'INVALID_TOKEN']);
  });

  it('returns the same response for every address and mails only allowed ones', async () => {
    await site.sql(`INSERT INTO users (id, email, role) VALUES ('there', 'there@open.example', 10)`);
    const addresses = [
      'ok@open.example',
      'there@open.example',
      'a@closed.example',
      'a@sub.open.example',
      'a@nowhere.example',
    ];
    const bodies = [];
    for (const address of addresses) bodies.push(JSON.stringify((await request(address)).body));
    expect(new Set(bodies).size).toBe(1);
    await linkFor('last@open.example');
    const counts = await Promise.all(
      addresses.map(async (address) => (await site.mailsTo(address, 0)).length),
    );
    expect(counts).toEqual([1, 0, 0, 0, 0]);
  });

  it('matches internationalised domains in ASCII and Unicode spelling and stores the Unicode address', async () => {
    for (const email of ['a@xn--bcher-kva.example', 'b@BÜCHER.example'])
      expect((await request(email)).status).toBe(200);
    await linkFor('after@open.example');
    const rows = await site.sql(`SELECT email FROM signups WHERE email LIKE '%cher%' ORDER BY email`);
    expect(rows).toEqual([{ email: 'a@bücher.example' }, { email: 'b@bücher.example' }]);
  });

  it('mails at most 3 links in 5 minutes per client, with the same response', async () => {
    const from = { 'x-real-ip': '2001:db8:1:2::77' };
    const bodies = [];
    for (const name of ['l1', 'l2', 'l3', 'l4'])
      bodies.push(JSON.stringify((await request(`${name}@open.example`, from)).body));
    expect(new Set(bodies).size).toBe(1);
    await linkFor('l5@open.example');
    expect(await site.mailsTo('l3@open.example')).toHaveLength(1);
    expect(await site.mailsTo('l4@open.example', 0)).toEqual([]);
  });

  it('returns DOMAIN_NOT_ALLOWED once the domain is disabled', async () => {
    const token = await linkFor('a@leaving.example');
    const credential = await passkeyFor(token);
    await site.sql(`UPDATE allowed_domains SET enabled = false WHERE domain = 'leaving.example'`);
    expect(statusAndCode(await read(token))).toEqual([403, 'DOMAIN_NOT_ALLOWED']);
    expect(statusAndCode(await complete(token, credential))).toEqual([403, 'DOMAIN_NOT_ALLOWED']);
    expect(await site.sql(`SELECT id FROM users WHERE email = 'a@leaving.example'`)).toEqual([]);
  });

  it('returns TOKEN_EXPIRED after 15 minutes', async () => {
    const [late, timely] = [await linkFor('late@open.example'), await linkFor('timely@open.example')];
    const credential = await passkeyFor(late);
    const age = `UPDATE signups SET expires_at = expires_at - $2 * interval '1 second' WHERE email = $1`;
    await site.sql(age, ['late@open.example', 15 * 60 + 1]);
    await site.sql(age, ['timely@open.example', 14 * 60]);
    expect(statusAndCode(await read(late))).toEqual([410, 'TOKEN_EXPIRED']);
    expect(statusAndCode(await complete(late, credential))).toEqual([410, 'TOKEN_EXPIRED']);
    expect((await read(timely)).status).toBe(200);
  });

  it('creates one user when two links are used concurrently', async () => {
    const [first, second] = [await linkFor('race@open.example'), await linkFor('race@open.example')];
    const attempts = [first, first, second].map(async (token) => [token, await passkeyFor(token)] as const);
    const ready = await Promise.all(attempts);
    const responses = await Promise.all(ready.map(([token, credential]) => complete(token, credential)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const response of responses.filter(({ status }) => status !== 200))
      expect([
        [404, 'INVALID_TOKEN'],
        [409, 'USER_EXISTS'],
      ]).toContainEqual(statusAndCode(response));
    expect(await site.sql(`SELECT id FROM users WHERE email = 'race@open.example'`)).toHaveLength(1);
  });

  it('rejects a sign-up token at the invitation and a missing token', async () => {
    const token = await linkFor('mixed@open.example');
    const credential = await passkeyFor(token);
    const response = await visitor.post('/auth/invite/complete', { token, credential });
    expect(statusAndCode(response)).toEqual([404, 'INVALID_TOKEN']);
    expect(statusAndCode(await visitor.get('/auth/signup/verify'))).toEqual([400, 'MISSING_PARAM']);
  });

  it('stores the token only as a hash', async () => {
    const token = await linkFor('hashed@open.example');
    expect(JSON.stringify(await site.sql('SELECT * FROM signups'))).not.toContain(token);
  });
});
