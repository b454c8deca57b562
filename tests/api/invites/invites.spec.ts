import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  cookieOf,
  describePermissions,
  openSite,
  SoftwareAuthenticator,
  statusAndCode,
  useSite,
  type ApiResponse,
  type Client,
  type PermissionCase,
} from '@quire/testing';

const site = useSite();
let admin: Client;
let visitor: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  visitor = site.anonymous();
});

const addressOf = (name: string) => `${name}@${site.tenant}.example`;
const accept = (token: string) => visitor.get(`/auth/invite/accept?token=${token}`);
const start = (token: string, name?: string) =>
  visitor.post('/auth/invite/register-options', { token, name });

/** Sends an invitation. @returns the token of the mailed link */
async function invite(name: string, role?: number | string): Promise<string> {
  const email = addressOf(name);
  const before = (await site.mailsTo(email, 0)).length;
  expect((await admin.post('/auth/invite', { email, role })).status).toBe(200);
  const mail = (await site.mailsTo(email, before + 1)).at(-1);
  return new URL(mail?.link ?? '').searchParams.get('token') ?? '';
}

/** Registers a passkey. @returns the credential that accepts an invitation */
async function passkeyFor(token: string): Promise<object> {
  const { data } = await start(token);
  return new SoftwareAuthenticator().register(data.options, { origin: `http://${site.host}` });
}

async function complete(token: string, name?: string): Promise<ApiResponse> {
  return visitor.post('/auth/invite/complete', { token, credential: await passkeyFor(token), name });
}

describe('POST /auth/invite and the invitation (document 1, Login methods 3; contract 28)', () => {
  it('sends a mail, returns the recipient, and creates a user with a passkey and a session', async () => {
    const email = addressOf('ann');
    const response = await admin.post('/auth/invite', { email: ` ${email.toUpperCase()} `, role: 40 });
    expect(response.data).toEqual({ success: true, message: expect.any(String) });
    const [mail] = await site.mailsTo(email);
    expect(mail?.headers['subject']).toBe(`You are invited to ${site.host}`);
    expect(mail?.link).toMatch(
      new RegExp(`^http://${site.host}/_cms/admin/invite/accept\\?token=[\\w-]{43}$`),
    );
    const token = new URL(mail?.link ?? '').searchParams.get('token') ?? '';
    expect((await accept(token)).data).toEqual({ success: true, email, role: 40, roleName: 'EDITOR' });
    const created = await complete(token, ' Ann ');
    expect(created.data).toEqual({
      success: true,
      user: { id: expect.any(String), email, name: 'Ann', role: 40 },
    });
    const me = await site.withSession(cookieOf(created, 'cms_session') ?? '').get('/auth/me');
    expect(me.data).toMatchObject({ id: created.data.user.id, role: 40 });
    const rows = await site.sql(
      `SELECT email_verified, (SELECT count(*)::int FROM passkeys WHERE user_id = users.id) AS passkeys
       FROM users WHERE email = $1`,
      [email],
    );
    expect(rows).toEqual([{ email_verified: true, passkeys: 1 }]);
    const events = await site.sql('SELECT action, details FROM audit_log WHERE actor_id = $1 ORDER BY id', [
      created.data.user.id,
    ]);
    expect(events).toEqual([
      { action: 'user.created', details: { role: 40, method: 'invite' } },
      { action: 'session.opened', details: { method: 'invite' } },
    ]);
    expect(await site.sql("SELECT details FROM audit_log WHERE action = 'user.invited'")).toEqual([
      { details: { role: 40, addressHash: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    ]);
  });

  it('uses the role author by default, and accepts a role as text', async () => {
    expect((await accept(await invite('plain'))).data.role).toBe(30);
    expect((await accept(await invite('text', '20'))).data.role).toBe(20);
    const wrong = await admin.post('/auth/invite', { email: addressOf('wrong'), role: 35 });
    expect(statusAndCode(wrong)).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('return 404 INVALID_TOKEN after the invitation was accepted', async () => {
    const token = await invite('once');
    expect((await complete(token)).status).toBe(200);
    expect(statusAndCode(await accept(token))).toEqual([404, 'INVALID_TOKEN']);
    expect(statusAndCode(await start(token))).toEqual([404, 'INVALID_TOKEN']);
  });

  it('create one user when 2 requests race', async () => {
    const token = await invite('race');
    const credentials = [await passkeyFor(token), await passkeyFor(token)];
    const responses = await Promise.all(
      credentials.map((credential) => visitor.post('/auth/invite/complete', { token, credential })),
    );
    expect(responses.map(statusAndCode).sort()).toEqual([
      [200, ''],
      [404, 'INVALID_TOKEN'],
    ]);
    const users = await site.sql('SELECT id FROM users WHERE email = $1', [addressOf('race')]);
    expect(users).toHaveLength(1);
  });

  it('return 400 for an invalid passkey, and keep the invitation valid', async () => {
    const token = await invite('again');
    const { data } = await start(token);
    const credential = new SoftwareAuthenticator().register(data.options, { origin: 'https://evil.example' });
    const response = await visitor.post('/auth/invite/complete', { token, credential });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(await site.sql('SELECT id FROM users WHERE email = $1', [addressOf('again')])).toEqual([]);
    expect((await complete(token)).status).toBe(200);
  });

  it('return 400 CHALLENGE_EXPIRED for a passkey of another invitation', async () => {
    const [mine, other] = [await invite('mine'), await invite('other')];
    const credential = await passkeyFor(other);
    const response = await visitor.post('/auth/invite/complete', { token: mine, credential });
    expect(statusAndCode(response)).toEqual([400, 'CHALLENGE_EXPIRED']);
  });

  it('replace an earlier invitation of the same address', async () => {
    const older = await invite('replaced', 50);
    const credential = await passkeyFor(older);
    const newer = await invite('replaced', 10);
    expect(statusAndCode(await accept(older))).toEqual([404, 'INVALID_TOKEN']);
    expect((await accept(newer)).data.role).toBe(10);
    const mixed = await visitor.post('/auth/invite/complete', { token: newer, credential });
    expect(statusAndCode(mixed)).toEqual([400, 'CHALLENGE_EXPIRED']);
  });

  it('return 410 TOKEN_EXPIRED after seven days', async () => {
    const [late, timely] = [await invite('late'), await invite('timely')];
    const credential = await passkeyFor(late);
    const age = `UPDATE invites SET expires_at = expires_at - $2 * interval '1 second' WHERE email = $1`;
    await site.sql(age, [addressOf('late'), 7 * 86_400 + 1]);
    await site.sql(age, [addressOf('timely'), 7 * 86_400 - 60]);
    expect(statusAndCode(await accept(late))).toEqual([410, 'TOKEN_EXPIRED']);
    expect(statusAndCode(await start(late))).toEqual([410, 'TOKEN_EXPIRED']);
    const response = await visitor.post('/auth/invite/complete', { token: late, credential });
    expect(statusAndCode(response)).toEqual([410, 'TOKEN_EXPIRED']);
    expect((await accept(timely)).status).toBe(200);
  });

  it('return 409 USER_EXISTS for an existing user, also for one created later', async () => {
    await site.another('author', 'existing');
    const response = await admin.post('/auth/invite', { email: addressOf('existing') });
    expect(statusAndCode(response)).toEqual([409, 'USER_EXISTS']);
    const token = await invite('faster');
    const credential = await passkeyFor(token);
    await site.another('author', 'faster');
    expect(statusAndCode(await accept(token))).toEqual([409, 'USER_EXISTS']);
    const late = await visitor.post('/auth/invite/complete', { token, credential });
    expect(statusAndCode(late)).toEqual([409, 'USER_EXISTS']);
  });

  it('return 404 INVALID_TOKEN for an unknown token and on another site', async () => {
    const token = await invite('elsewhere');
    expect(statusAndCode(await visitor.get('/auth/invite/accept'))).toEqual([400, 'MISSING_PARAM']);
    expect(statusAndCode(await accept('x'.repeat(43)))).toEqual([404, 'INVALID_TOKEN']);
    const neighbour = await openSite();
    const response = await neighbour.anonymous().get(`/auth/invite/accept?token=${token}`);
    expect(statusAndCode(response)).toEqual([404, 'INVALID_TOKEN']);
    await neighbour.close();
  });

  it('store only a hash of the token', async () => {
    const token = await invite('hashed');
    expect(JSON.stringify(await site.sql('SELECT * FROM invites'))).not.toContain(token);
  });
});

const permissionCases: PermissionCase[] = [
  {
    permission: 'users:invite',
    minRole: 'admin',
    scopes: ['admin'],
    expectedStatus: 200,
    operations: {
      createInvite: (client) => client.post('/auth/invite', { email: addressOf('permitted') }),
    },
  },
];
describePermissions(() => site, permissionCases);
