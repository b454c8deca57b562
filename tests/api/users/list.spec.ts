import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, statusAndCode, walkPages, type Client, type Site, type TestRole } from '@quire/testing';

let site: Site;
let admin: Client;

const roleNames: TestRole[] = ['subscriber', 'contributor', 'author', 'editor'];

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
  for (const role of roleNames) await site.as(role);
  await site.sql("UPDATE users SET created_at = '2020-01-01T00:00:00Z', name = '50%_Ann' WHERE role = 20");
  await site.sql("UPDATE users SET created_at = '2020-01-02T00:00:00Z' WHERE role = 30");
});
afterAll(() => site.close());

interface Listed {
  id: string;
  email: string;
  role: number;
}
const rolesOf = async (query: string) =>
  ((await admin.get(`/admin/users${query}`)).data.items as Listed[]).map(({ role }) => role);
const idOf = async (role: number) => {
  const [row] = await site.sql<{ id: string }>('SELECT id FROM users WHERE role = $1', [role]);
  return String(row?.id);
};

describe('listUsers (contract 24)', () => {
  it('gives users newest first, with all that a list shows of them', async () => {
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

  it('walks through users made at the same moment without losing or repeating one', async () => {
    await site.sql(
      `INSERT INTO users (id, email, role, created_at)
       SELECT 'same' || n, 'same' || n || '@same.example', 10, '2019-01-01T00:00:00Z' FROM generate_series(1, 7) n`,
    );
    const users = await walkPages<Listed>(admin, '/admin/users?limit=2');
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
    ['part of a name, whatever its case', '?search=aNN', [20]],
    ['part of an address, whatever its case', '?search=EDITOR@', [40]],
    ['% and _ as they are', '?search=50%25_', [20]],
    ['no wildcard', '?search=5%25n', []],
    ['a role', '?role=30', [30]],
    ['a role and a text', '?role=30&search=ann', []],
  ])('finds by %s', async (_, query, expected) => {
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
  ])('rejects %s', async (query) => {
    expect(statusAndCode(await admin.get(`/admin/users?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('rejects a cursor that it did not make, or made with other filters', async () => {
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

describe('getUser (contract 24)', () => {
  it('gives a user with what they sign in with', async () => {
    const id = await idOf(20);
    const { item } = (await admin.get(`/admin/users/${id}`)).data;
    expect(item).toMatchObject({ id, role: 20, name: '50%_Ann', credentials: [], oauthAccounts: [] });
    expect(item).not.toHaveProperty('credentialCount');
  });

  it('returns 404 for an unknown id', async () => {
    expect(statusAndCode(await admin.get('/admin/users/nobody'))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await admin.get('/admin/users/%00'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('users (contract 5)', () => {
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

  it.each(calls.slice(1))('%s does not reach into another site', async (_, call) => {
    const neighbour = await openSite();
    const there = await neighbour.as('admin');
    expect(statusAndCode(await call(there, await idOf(10)))).toEqual([404, 'NOT_FOUND']);
    expect((await there.get('/admin/users')).data.items).toHaveLength(1);
    await neighbour.close();
  });
});
