import { beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, statusAndCode, useSite, walkPages, type Client, type TestRole } from '@quire/testing';

const site = useSite();
let admin: Client;

const roleNames: TestRole[] = ['subscriber', 'contributor', 'author', 'editor'];

beforeAll(async () => {
  admin = await site.as('admin');
  for (const role of roleNames) await site.as(role);
  await site.sql("UPDATE users SET created_at = '2020-01-01T00:00:00Z', name = '50%_Ann' WHERE role = 20");
  await site.sql("UPDATE users SET created_at = '2020-01-02T00:00:00Z' WHERE role = 30");
});

interface UserItem {
  id: string;
  email: string;
  role: number;
}
const rolesOf = async (query: string) =>
  ((await admin.get(`/admin/users${query}`)).data.items as UserItem[]).map(({ role }) => role);
const idOf = async (role: number) => {
  const [row] = await site.sql<{ id: string }>('SELECT id FROM users WHERE role = $1', [role]);
  return String(row?.id);
};

describe('GET /admin/users (contract 24)', () => {
  it('returns users newest first with every documented property', async () => {
    const { items } = (await admin.get('/admin/users')).data;
    expect(items).toHaveLength(5);
    expect(items.slice(-2)).toMatchObject([{ role: 30 }, { role: 20 }]);
    expect(items[4]).toEqual({
      id: expect.any(String),
      email: `contributor@${site.tenant}.example`,
      name: '50%_Ann',
      avatarUrl: null,
      role: 20,
      emailVerified: false,
      disabled: false,
      createdAt: '2020-01-01T00:00:00.000Z',
      updatedAt: expect.any(String),
      lastLogin: null,
      credentialCount: 0,
      oauthProviders: [],
    });
  });

  it('paginates users with equal creation times without losing or repeating one', async () => {
    await site.sql(
      `INSERT INTO users (id, email, role, created_at)
       SELECT 'same' || n, 'same' || n || '@same.example', 10, '2019-01-01T00:00:00Z' FROM generate_series(1, 7) n`,
    );
    const users = await walkPages<UserItem>(admin, '/admin/users?limit=2');
    const [{ count } = { count: 0 }] = await site.sql<{ count: number }>(
      'SELECT count(*)::integer AS count FROM users',
    );
    expect(new Set(users.map(({ id }) => id)).size).toBe(count);
    expect(users).toHaveLength(count);
    expect(users.slice(-7).map(({ id }) => id)).toEqual(
      [7, 6, 5, 4, 3, 2, 1].map((number) => `same${number}`),
    );
    await site.sql("DELETE FROM users WHERE id LIKE 'same%'");
  });

  it.each([
    ['part of a name, ignoring case', '?search=aNN', [20]],
    ['part of an address, ignoring case', '?search=EDITOR@', [40]],
    ['literal % and _', '?search=50%25_', [20]],
    ['text without wildcards', '?search=5%25n', []],
    ['a role', '?role=30', [30]],
    ['a role and a text', '?role=30&search=ann', []],
  ])('filters by %s', async (_, query, expected) => {
    expect(await rolesOf(query)).toEqual(expected);
  });

  it.each([
    'role=25',
    'role=admin',
    'limit=0',
    'limit=101',
    `search=${'x'.repeat(201)}`,
    'search=%00',
    'search=',
  ])('returns 400 VALIDATION_ERROR for %s', async (query) => {
    expect(statusAndCode(await admin.get(`/admin/users?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('returns 400 INVALID_CURSOR for a forged cursor and one of other filters', async () => {
    const { nextCursor } = (await admin.get('/admin/users?limit=1')).data;
    const forged = JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as unknown[];
    forged[1] = 'yesterday';
    for (const query of [
      `role=10&cursor=${nextCursor}`,
      'cursor=x',
      `cursor=${Buffer.from(JSON.stringify(forged)).toString('base64url')}`,
    ])
      expect(statusAndCode(await admin.get(`/admin/users?${query}`))).toEqual([400, 'INVALID_CURSOR']);
  });
});

describe('GET /admin/users/{id} (contract 24)', () => {
  it('returns a user with credentials and provider accounts', async () => {
    const id = await idOf(20);
    const { item } = (await admin.get(`/admin/users/${id}`)).data;
    expect(item).toMatchObject({ id, role: 20, name: '50%_Ann', credentials: [], oauthAccounts: [] });
    expect(item).not.toHaveProperty('credentialCount');
  });

  it('returns 404 NOT_FOUND for an unknown id', async () => {
    expect(statusAndCode(await admin.get('/admin/users/nobody'))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await admin.get('/admin/users/%00'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('permissions of users (contract 5)', () => {
  const calls: [string, (client: Client, id: string) => ReturnType<Client['get']>][] = [
    ['listUsers', (client) => client.get('/admin/users')],
    ['getUser', (client, id) => client.get(`/admin/users/${id}`)],
    ['updateUser', (client, id) => client.put(`/admin/users/${id}`, { name: 'Mallory' })],
    ['disableUser', (client, id) => client.post(`/admin/users/${id}/disable`)],
    ['enableUser', (client, id) => client.post(`/admin/users/${id}/enable`)],
  ];

  it.each(calls)('%s requires an administrator or a token with the scope admin', async (_, call) => {
    const id = await idOf(10);
    for (const role of roleNames)
      expect(statusAndCode(await call(await site.as(role), id))).toEqual([403, 'FORBIDDEN']);
    const narrow = await site.withScopes('admin', ['content:write', 'settings:manage']);
    expect(statusAndCode(await call(narrow, id))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(statusAndCode(await call(site.anonymous(), id))).toEqual([401, 'NOT_AUTHENTICATED']);
    expect((await admin.get(`/admin/users/${id}`)).data.item).toMatchObject({ name: null, disabled: false });
  });

  it.each(calls.slice(1))('%s returns 404 NOT_FOUND for a user of another site', async (_, call) => {
    const other = await openSite();
    const otherAdmin = await other.as('admin');
    expect(statusAndCode(await call(otherAdmin, await idOf(10)))).toEqual([404, 'NOT_FOUND']);
    expect((await otherAdmin.get('/admin/users')).data.items).toHaveLength(1);
    await other.close();
  });
});
