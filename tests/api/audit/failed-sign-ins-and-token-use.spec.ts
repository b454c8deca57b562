import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  addPasskey,
  ceremonyOf,
  ceremonyOptionsOf,
  eventually,
  logIn,
  SoftwareAuthenticator,
  statusAndCode,
  useSite,
  type Client,
} from '@quire/testing';

interface Entry {
  actor: { kind: string; id: string | null };
  target: { type: string; id: string } | null;
  userId: string | null;
  clientAddress: string | null;
  requestId: string | null;
  details: Record<string, unknown>;
}

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.signedIn('admin');
});

const events = async (action: string) =>
  (await admin.get(`/admin/audit-log?action=${action}&limit=100`)).data.items as Entry[];
const rejections = () => events('session.refused');
const at = (address: string) => ({ headers: { 'x-real-ip': address } });

async function withPasskey(name: string) {
  const client = await site.signedIn('editor', name);
  const key = new SoftwareAuthenticator();
  await addPasskey(site, client, key);
  return { key, id: (await client.get('/auth/me')).data.id as string };
}

/** Fails to sign in: the challenge is signed for another site. */
async function failWith(key: SoftwareAuthenticator, address = '203.0.113.1') {
  const options = ceremonyOptionsOf(await site.anonymous().post('/auth/passkey/options'));
  const credential = key.logIn(options, { ...ceremonyOf(site), origin: 'https://elsewhere.example' });
  return site.anonymous().post('/auth/passkey/verify', { credential }, at(address));
}

describe('audit log of failed sign-ins', () => {
  it('records user, reason, client address and request id', async () => {
    const { key, id } = await withPasskey('ann');
    const response = await failWith(key);
    expect(statusAndCode(response)).toEqual([401, 'UNAUTHORIZED']);
    expect((await rejections())[0]).toMatchObject({
      actor: { kind: 'anonymous', id: null },
      target: { type: 'user', id },
      userId: id,
      clientAddress: '203.0.113.1',
      requestId: response.headers.get('x-request-id'),
      details: { method: 'passkey', reason: 'UNAUTHORIZED' },
    });
  });

  it('records attempts of disabled users', async () => {
    const { key, id } = await withPasskey('disabled');
    await admin.post(`/admin/users/${id}/disable`);
    expect(statusAndCode(await logIn(site, key))).toEqual([403, 'ACCOUNT_DISABLED']);
    expect((await rejections())[0]).toMatchObject({
      target: { id },
      details: { method: 'passkey', reason: 'ACCOUNT_DISABLED' },
    });
  });

  it('records attempts with an unknown passkey without a user', async () => {
    const stranger = await withPasskey('forgotten');
    await site.sql('DELETE FROM passkeys WHERE user_id = $1', [stranger.id]);
    await failWith(stranger.key);
    expect((await rejections())[0]).toMatchObject({ target: null, userId: null });
  });

  it.each([
    ['magic-link', '/auth/magic-link/verify', { token: 'x'.repeat(43) }],
    ['invite', '/auth/invite/complete', { token: 'x'.repeat(43) }],
    ['signup', '/auth/signup/complete', { token: 'x'.repeat(43) }],
    ['setup', '/setup/admin/verify', {}],
  ])('records attempts with the method %s', async (method, path, body) => {
    const options = ceremonyOptionsOf(await admin.post('/auth/passkey/register/options'));
    const credential = new SoftwareAuthenticator().register(options, ceremonyOf(site));
    const before = (await rejections()).length;
    await site.anonymous().post(path, { credential, ...body });
    const told = await rejections();
    expect(told).toHaveLength(before + 1);
    expect(told[0]?.details['method']).toBe(method);
  });

  it('contains no e-mail address and no secret', async () => {
    await site.anonymous().post('/auth/magic-link/verify', { token: 'y'.repeat(43) });
    const log = JSON.stringify(await site.sql("SELECT * FROM audit_log WHERE action = 'session.refused'"));
    expect(log).not.toContain('yyyy');
    expect(log).not.toContain('@');
  });

  it('records at most 20 attempts a minute per client', async () => {
    const { key } = await withPasskey('flooded');
    const before = (await rejections()).length;
    for (let count = 0; count < 25; count += 1) await failWith(key, '203.0.113.99');
    expect((await rejections()).length - before).toBe(20);
    await failWith(key, '203.0.113.100');
    expect((await rejections()).length - before).toBe(21);
  });
});

describe('audit log of token use', () => {
  /** Another token that ends makes every process look tokens up again, as after a minute. */
  async function lookUpAgain(): Promise<void> {
    const passing = (await admin.post('/admin/api-tokens', { name: 'Passing', scopes: ['admin'] })).data;
    await admin.delete(`/admin/api-tokens/${passing.info.id}`);
  }

  it('records the token id once an hour per token and client address', async () => {
    const created = (await admin.post('/admin/api-tokens', { name: 'Deploy', scopes: ['content:read'] }))
      .data;
    const robot = site.withToken(created.token);
    const uses = async () =>
      (await events('token.used')).filter(({ target }) => target?.id === created.info.id);
    expect(await uses()).toEqual([]);
    await robot.get('/content/posts', at('203.0.113.7'));
    expect(await uses()).toMatchObject([
      {
        actor: { kind: 'token', id: created.info.userId },
        target: { type: 'token' },
        userId: created.info.userId,
        clientAddress: '203.0.113.7',
      },
    ]);
    await lookUpAgain();
    await eventually(async () => {
      await robot.get('/content/posts', at('203.0.113.8'));
      return (await uses()).length >= 2;
    });
    await lookUpAgain();
    for (let use = 0; use < 10; use += 1) await robot.get('/content/posts', at('203.0.113.7'));
    expect((await uses()).map(({ clientAddress }) => clientAddress)).toEqual(['203.0.113.8', '203.0.113.7']);
    expect(JSON.stringify(await events('token.used'))).not.toContain(created.info.prefix);
  });
});
