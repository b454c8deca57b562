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
import { listEvents } from './support.js';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.signedIn('admin');
});

const events = (action: string) => listEvents(admin, `?action=${action}&limit=100`);
const failures = () => events('session.refused');
const at = (address: string) => ({ headers: { 'x-real-ip': address } });

async function withPasskey(name: string) {
  const client = await site.signedIn('editor', name);
  const key = new SoftwareAuthenticator();
  await addPasskey(site, client, key);
  return { key, id: (await client.get('/auth/me')).data.id as string };
}

/** Signs in with a challenge that is signed for another site, which fails. */
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
    expect((await failures())[0]).toMatchObject({
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
    expect((await failures())[0]).toMatchObject({
      target: { id },
      details: { method: 'passkey', reason: 'ACCOUNT_DISABLED' },
    });
  });

  it('records attempts with an unknown passkey without a user', async () => {
    const unknown = await withPasskey('forgotten');
    await site.sql('DELETE FROM passkeys WHERE user_id = $1', [unknown.id]);
    await failWith(unknown.key);
    expect((await failures())[0]).toMatchObject({ target: null, userId: null });
  });

  it.each([
    ['magic-link', '/auth/magic-link/verify', { token: 'x'.repeat(43) }],
    ['invite', '/auth/invite/complete', { token: 'x'.repeat(43) }],
    ['signup', '/auth/signup/complete', { token: 'x'.repeat(43) }],
    ['setup', '/setup/admin/verify', {}],
  ])('records attempts with the method %s', async (method, path, body) => {
    const options = ceremonyOptionsOf(await admin.post('/auth/passkey/register/options'));
    const credential = new SoftwareAuthenticator().register(options, ceremonyOf(site));
    const before = (await failures()).length;
    await site.anonymous().post(path, { credential, ...body });
    const after = await failures();
    expect(after).toHaveLength(before + 1);
    expect(after[0]?.details['method']).toBe(method);
  });

  it('contains no e-mail address and no secret', async () => {
    await site.anonymous().post('/auth/magic-link/verify', { token: 'y'.repeat(43) });
    const log = JSON.stringify(await site.sql("SELECT * FROM audit_log WHERE action = 'session.refused'"));
    expect(log).not.toContain('yyyy');
    expect(log).not.toContain('@');
  });

  it('records at most 20 attempts a minute per client', async () => {
    const { key } = await withPasskey('flooded');
    const before = (await failures()).length;
    for (let count = 0; count < 25; count += 1) await failWith(key, '203.0.113.99');
    expect((await failures()).length - before).toBe(20);
    await failWith(key, '203.0.113.100');
    expect((await failures()).length - before).toBe(21);
  });
});

describe('audit log of token use', () => {
  /** Revokes another token, so that every process reads tokens again as it does after a minute. */
  async function invalidateTokenCache(): Promise<void> {
    const revoked = (await admin.post('/admin/api-tokens', { name: 'Revoked', scopes: ['admin'] })).data;
    await admin.delete(`/admin/api-tokens/${revoked.info.id}`);
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
    await invalidateTokenCache();
    await eventually(async () => {
      await robot.get('/content/posts', at('203.0.113.8'));
      return (await uses()).length >= 2;
    });
    await invalidateTokenCache();
    for (let use = 0; use < 10; use += 1) await robot.get('/content/posts', at('203.0.113.7'));
    expect((await uses()).map(({ clientAddress }) => clientAddress)).toEqual(['203.0.113.8', '203.0.113.7']);
    expect(JSON.stringify(await events('token.used'))).not.toContain(created.info.prefix);
  });
});
