import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  describePermissions,
  eventually,
  openSite,
  statusAndCode,
  type Client,
  type PermissionCase,
  type Site,
} from '@quire/testing';

let site: Site;
let admin: Client;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
  await site.collection();
});
afterAll(() => site.close());

const list = '/admin/api-tokens';
const hashOf = (client: Client) => createHash('sha256').update(String(client.token)).digest('hex');
const idOf = async (client: Client): Promise<string> => {
  const [row] = await site.sql<{ id: string }>('SELECT id FROM api_tokens WHERE token_hash = $1', [
    hashOf(client),
  ]);
  if (!row) throw new Error('The token is not stored');
  return row.id;
};
const read = async (client: Client) => statusAndCode(await client.get('/content/posts'));

describe('a Bearer token (contract 4)', () => {
  it('is stored as a hash alone', async () => {
    const rows = JSON.stringify(await site.sql('SELECT * FROM api_tokens'));
    expect(rows).toContain(hashOf(admin));
    expect(rows).not.toContain(String(admin.token));
  });

  it.each([
    ['unknown', 'Bearer ec_pat_unknown'],
    ['a refresh token', 'Bearer ec_ort_x'],
    ['no token', 'Bearer'],
    ['another scheme', 'Basic YTpi'],
    ['empty', ''],
    ['two', 'Bearer a b'],
  ])('that is %s is 401 INVALID_TOKEN', async (_, authorization) => {
    expect(
      statusAndCode(await site.anonymous().get('/content/posts', { headers: { authorization } })),
    ).toEqual([401, 'INVALID_TOKEN']);
  });

  it('is not helped by a session beside it', async () => {
    const headers = { authorization: 'Bearer ec_pat_unknown', cookie: 'cms_session=x' };
    expect(statusAndCode(await site.anonymous().get('/content/posts', { headers }))).toEqual([
      401,
      'INVALID_TOKEN',
    ]);
  });

  it('of one site is nobody on another', async () => {
    const neighbour = await openSite();
    expect(await read(neighbour.withToken(String(admin.token)))).toEqual([401, 'INVALID_TOKEN']);
    await neighbour.close();
  });

  it('that has expired is 401', async () => {
    const client = await site.another('admin', 'expired');
    await site.sql("UPDATE api_tokens SET expires_at = now() - interval '1 second' WHERE token_hash = $1", [
      hashOf(client),
    ]);
    expect(await read(client)).toEqual([401, 'INVALID_TOKEN']);
  });

  it('of a disabled user is 401', async () => {
    const client = await site.another('admin', 'disabled');
    await site.sql("UPDATE users SET disabled = true WHERE email LIKE 'disabled@%'");
    expect(await read(client)).toEqual([401, 'INVALID_TOKEN']);
  });

  it('lacking the scope is 403 INSUFFICIENT_SCOPE, before the role is asked', async () => {
    const client = await site.withScopes('subscriber', ['content:read']);
    expect(statusAndCode(await client.post('/content/posts', { data: {} }))).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
    ]);
    const wide = await site.withScopes('subscriber', ['content:write']);
    expect(statusAndCode(await wide.post('/content/posts', { data: {} }))).toEqual([403, 'FORBIDDEN']);
  });

  it('notes when it was used, at most once a minute', async () => {
    const client = await site.another('admin', 'used');
    await read(client);
    const used = () =>
      site.sql<{ at: string }>('SELECT last_used_at::text AS at FROM api_tokens WHERE token_hash = $1', [
        hashOf(client),
      ]);
    const [first] = await used();
    expect(first?.at).toEqual(expect.any(String));
    await read(client);
    expect(await used()).toEqual([first]);
  });
});

describe('the tokens of an administrator (contract 31)', () => {
  it('are listed for their owner, newest first, without their texts', async () => {
    const owner = await site.another('admin', 'owner');
    const id = await idOf(owner);
    const { items } = (await owner.get(list)).data;
    expect(items).toEqual([
      {
        id,
        name: expect.any(String),
        prefix: String(owner.token).slice(0, 11),
        scopes: ['admin'],
        userId: expect.any(String),
        expiresAt: null,
        lastUsedAt: expect.any(String),
        createdAt: expect.any(String),
      },
    ]);
  });

  it('cannot be made with a token: a leaked one must not breed others', async () => {
    const answer = await admin.post(list, { name: 'more', scopes: ['admin'] });
    expect(statusAndCode(answer)).toEqual([403, 'FORBIDDEN']);
  });

  it('are refused from the moment they are revoked, although they were used a moment ago', async () => {
    const leaked = await site.another('admin', 'leaked');
    expect(await read(leaked)).toEqual([200, '']);
    const revoked = await leaked.delete(`${list}/${await idOf(leaked)}`);
    expect([revoked.status, revoked.data]).toEqual([200, { revoked: true }]);
    const refused = await eventually(
      () => read(leaked),
      ([status]) => status !== 200,
    );
    expect(refused).toEqual([401, 'INVALID_TOKEN']);
  });

  it('of somebody else cannot be revoked, and look as if they were not there', async () => {
    const other = await site.another('admin', 'other');
    expect(statusAndCode(await admin.delete(`${list}/${await idOf(other)}`))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await admin.delete(`${list}/nothing`))).toEqual([404, 'NOT_FOUND']);
    expect(await read(other)).toEqual([200, '']);
  });
});

const permissionCases: PermissionCase[] = [
  {
    permission: 'auth:manage_connections',
    minRole: 'admin',
    scopes: ['admin'],
    operations: {
      listApiTokens: (client) => client.get(list),
      revokeApiToken: (client) => client.delete(`${list}/nothing`),
    },
  },
];
describePermissions(() => site, permissionCases);
