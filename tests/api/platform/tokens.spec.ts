import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  describePermissions,
  eventually,
  openSite,
  statusAndCode,
  useSite,
  type Client,
  type PermissionCase,
} from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection();
});

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

describe('Bearer token (contract 4)', () => {
  it('is stored only as a hash', async () => {
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
  ])('that is %s returns 401 INVALID_TOKEN', async (_, authorization) => {
    expect(
      statusAndCode(await site.anonymous().get('/content/posts', { headers: { authorization } })),
    ).toEqual([401, 'INVALID_TOKEN']);
  });

  it('that is invalid returns 401 INVALID_TOKEN despite a session cookie', async () => {
    const headers = { authorization: 'Bearer ec_pat_unknown', cookie: 'cms_session=x' };
    expect(statusAndCode(await site.anonymous().get('/content/posts', { headers }))).toEqual([
      401,
      'INVALID_TOKEN',
    ]);
  });

  it('of another site returns 401 INVALID_TOKEN', async () => {
    const other = await openSite();
    expect(await read(other.withToken(String(admin.token)))).toEqual([401, 'INVALID_TOKEN']);
    await other.close();
  });

  it('that has expired returns 401 INVALID_TOKEN', async () => {
    const client = await site.another('admin', 'expired');
    await site.sql("UPDATE api_tokens SET expires_at = now() - interval '1 second' WHERE token_hash = $1", [
      hashOf(client),
    ]);
    expect(await read(client)).toEqual([401, 'INVALID_TOKEN']);
  });

  it('of a disabled user returns 401 INVALID_TOKEN', async () => {
    const client = await site.another('admin', 'disabled');
    await site.sql("UPDATE users SET disabled = true WHERE email LIKE 'disabled@%'");
    expect(await read(client)).toEqual([401, 'INVALID_TOKEN']);
  });

  it('without the scope returns 403 INSUFFICIENT_SCOPE before the role is checked', async () => {
    const client = await site.withScopes('subscriber', ['content:read']);
    expect(statusAndCode(await client.post('/content/posts', { data: {} }))).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
    ]);
    const wide = await site.withScopes('subscriber', ['content:write']);
    expect(statusAndCode(await wide.post('/content/posts', { data: {} }))).toEqual([403, 'FORBIDDEN']);
  });

  it('records its last use at most once a minute', async () => {
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

describe('/admin/api-tokens (contract 31)', () => {
  it('lists the tokens of the caller, newest first, without their values', async () => {
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

  it('returns 403 FORBIDDEN when a token creates a token', async () => {
    const response = await admin.post(list, { name: 'more', scopes: ['admin'] });
    expect(statusAndCode(response)).toEqual([403, 'FORBIDDEN']);
  });

  it('rejects a revoked token at once', async () => {
    const leaked = await site.another('admin', 'leaked');
    expect(await read(leaked)).toEqual([200, '']);
    const revoked = await leaked.delete(`${list}/${await idOf(leaked)}`);
    expect([revoked.status, revoked.data]).toEqual([200, { revoked: true }]);
    const rejected = await eventually(
      () => read(leaked),
      ([status]) => status !== 200,
    );
    expect(rejected).toEqual([401, 'INVALID_TOKEN']);
  });

  it('returns 404 NOT_FOUND for tokens of other users', async () => {
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
