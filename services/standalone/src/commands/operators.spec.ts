import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { findOperatorById, findOperatorByToken, touchOperatorToken } from '@quire/tenancy';
import type { TransactionalDatabase } from '@quire/database';
import { openInstallation, type TestInstallation } from '../installation.fixture.js';

let test: TestInstallation;
let sql: TransactionalDatabase;
beforeAll(async () => {
  test = await openInstallation('operators');
  sql = await test.installation.registryTables();
});
beforeEach(async () => void (await sql.query('DELETE FROM operator_tokens')));
afterAll(() => test.close());

interface Listed {
  id: string;
  name: string;
  role: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
}
const listed = async () => JSON.parse(await test.run('operator token list', { json: true })) as Listed[];
const create = (values: Record<string, string>) => test.run('operator token create', values);

describe('cms operator token', () => {
  it('create prints a token that is found, and of which only the hash is stored', async () => {
    const text = await create({ name: 'Anna', role: 'viewer' });
    expect(text).toMatch(/^qot_[\w-]{43}$/);
    expect(await findOperatorByToken(sql, text)).toMatchObject({ name: 'Anna', role: 'viewer' });
    const rows = await sql.query('SELECT * FROM operator_tokens');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(text.slice('qot_'.length));
  });

  it('create with a lifetime makes a token that ends', async () => {
    const text = await create({ name: 'Anna', role: 'operator', 'expires-in': '90d' });
    const [token] = await listed();
    const days = (Date.parse(token?.expiresAt ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThanOrEqual(90);
    await sql.query("UPDATE operator_tokens SET expires_at = now() - interval '1 second'");
    expect(await findOperatorByToken(sql, text)).toBeUndefined();
    expect(await findOperatorById(sql, token?.id ?? '')).toBeUndefined();
  });

  it.each([
    [{ name: 'A', role: 'admin' }, '--role must be one of viewer, operator'],
    [{ name: ' ', role: 'viewer' }, '--name must be one line'],
    [{ name: 'A\nB', role: 'viewer' }, '--name must be one line'],
    [{ name: 'A', role: 'viewer', 'expires-in': '90' }, '--expires-in must be hours or days'],
    [{ name: 'A', role: 'viewer', 'expires-in': '0d' }, '--expires-in must be hours or days'],
  ])('create rejects %j', async (values, message) => {
    await expect(create(values)).rejects.toThrow(message);
    expect(await listed()).toEqual([]);
  });

  it('list shows the tokens without a hash, and the time of the last use', async () => {
    expect(await test.run('operator token list')).toBe('No token');
    await create({ name: 'Anna', role: 'viewer' });
    const [token] = await listed();
    expect(token).toEqual({
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      name: 'Anna',
      role: 'viewer',
      createdAt: expect.stringMatching(/Z$/),
      lastUsedAt: null,
      expiresAt: null,
    });
    await touchOperatorToken(sql, token?.id ?? '');
    const [used] = await listed();
    expect(used?.lastUsedAt).toMatch(/Z$/);
    await touchOperatorToken(sql, token?.id ?? '');
    expect(await listed()).toEqual([used]);
    expect((await test.run('operator token list')).split('\n')[0]).toMatch(
      /^ID +NAME +ROLE +CREATED +LAST USED +EXPIRES$/,
    );
  });

  it('revoke ends a token, and fails for an unknown id', async () => {
    const text = await create({ name: 'Anna', role: 'viewer' });
    const [token] = await listed();
    expect(await test.run('operator token revoke', {}, [token?.id ?? ''])).toBe('Revoked the token of Anna');
    expect(await findOperatorByToken(sql, text)).toBeUndefined();
    await expect(test.run('operator token revoke', {}, [token?.id ?? ''])).rejects.toThrow(
      `There is no token ${token?.id}: see "cms operator token list"`,
    );
  });

  it('creations and revocations are in the log of operators, without the token', async () => {
    const text = await create({ name: 'Ben', role: 'operator' });
    const [token] = await listed();
    await test.run('operator token revoke', {}, [token?.id ?? '']);
    const log = await test.run('operator log', { json: true });
    expect((JSON.parse(log) as object[]).slice(0, 2)).toMatchObject([
      { action: 'operator token revoke', target: token?.id, detail: { name: 'Ben' } },
      { action: 'operator token create', target: token?.id, detail: { name: 'Ben', role: 'operator' } },
    ]);
    expect(log).not.toContain(text);
  });
});
