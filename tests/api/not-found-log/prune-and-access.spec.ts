import { describe, expect, it } from '@jest/globals';
import { describePermissions, openSite, statusAndCode, type PermissionCase } from '@quire/testing';
import { useNotFoundLog, waitUntil } from './support.js';

const log = useNotFoundLog();

describe('POST /redirects/404s', () => {
  it('deletes the paths that were last requested before olderThan, and no redirects', async () => {
    const created = await log.admin.post('/redirects', { source: '/old-rule', destination: '/x' });
    await log.site.sql("UPDATE redirects SET created_at = '2020-01-01Z', updated_at = '2020-01-01Z'");
    await log.insert(5);
    const { status, data } = await log.admin.post(log.path, { olderThan: '2025-01-01T01:00:03.000+01:00' });
    expect([status, data]).toEqual([200, { deleted: 2 }]);
    expect(await log.paths()).toEqual(['/old-5', '/old-4', '/old-3']);
    expect((await log.admin.post(log.path, { olderThan: '2025-01-01T00:00:03Z' })).data).toEqual({
      deleted: 0,
    });
    expect((await log.admin.delete(`/redirects/${created.data.id}`)).status).toBe(200);
  });

  it('keeps an old path that was requested recently', async () => {
    await log.insert(1);
    await log.recordMiss('/old-1');
    await waitUntil(async () => (await log.countOf('/old-1')) === 2);
    expect((await log.admin.post(log.path, { olderThan: '2025-06-01T00:00:00Z' })).data).toEqual({
      deleted: 0,
    });
  });

  it.each([
    {},
    { olderThan: 'yesterday' },
    { olderThan: '2025-01-01T00:00:00' },
    { olderThan: null },
    { olderThan: 5 },
  ])('returns 400 VALIDATION_ERROR for %j (decision 21)', async (body) => {
    await log.insert(1);
    expect(statusAndCode(await log.admin.post(log.path, body))).toEqual([400, 'VALIDATION_ERROR']);
    expect(await log.rows()).toBe(1);
  });
});

describe('DELETE /redirects/404s', () => {
  it('deletes all entries and no redirects', async () => {
    const created = await log.admin.post('/redirects', { source: '/rule', destination: '/x' });
    await log.insert(4);
    const { status, data } = await log.admin.delete(log.path);
    expect([status, data]).toEqual([200, { deleted: 4 }]);
    expect(await log.entries()).toEqual([]);
    expect((await log.admin.delete(log.path)).data).toEqual({ deleted: 0 });
    expect((await log.admin.delete(`/redirects/${created.data.id}`)).status).toBe(200);
  });

  it('succeeds while other requests write, prune and clear', async () => {
    await log.insert(500);
    const responses = await Promise.all([
      ...Array.from({ length: 10 }, () => log.admin.delete(log.path)),
      ...Array.from({ length: 10 }, () => log.admin.post(log.path, { olderThan: '2030-01-01T00:00:00Z' })),
      ...Array.from({ length: 10 }, (_, index) => log.admin.get(`/redirects/resolve?path=/old-${index}`)),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    const deleted = responses.slice(0, 20).reduce((sum, { data }) => sum + Number(data.deleted), 0);
    expect(deleted).toBeGreaterThanOrEqual(500);
  });
});

describe('permissions of the not-found log (contract 5)', () => {
  const permissionCases: PermissionCase[] = [
    {
      permission: 'redirects:read',
      minRole: 'editor',
      scopes: ['admin'],
      expectedStatus: 200,
      operations: {
        listNotFoundEntries: (client) => client.get(log.path),
        getNotFoundSummary: (client) => client.get(`${log.path}/summary`),
      },
    },
    {
      permission: 'redirects:manage',
      minRole: 'admin',
      scopes: ['admin'],
      expectedStatus: 200,
      operations: {
        pruneNotFoundLog: (client) => client.post(log.path, { olderThan: '2025-01-01T00:00:00Z' }),
        clearNotFoundLog: (client) => client.delete(log.path),
      },
    },
  ];
  describePermissions(() => log.site, permissionCases);

  it('is separate per site', async () => {
    const other = await openSite();
    const otherAdmin = await other.as('admin');
    await log.insert(3);
    await log.recordMiss('/ours');
    await waitUntil(async () => (await log.countOf('/ours')) === 1);
    expect((await otherAdmin.get(log.path)).data.items).toEqual([]);
    expect((await otherAdmin.get(`${log.path}/summary`)).data.items).toEqual([]);
    expect((await otherAdmin.post(log.path, { olderThan: '2099-01-01T00:00:00Z' })).data).toEqual({
      deleted: 0,
    });
    expect((await otherAdmin.delete(log.path)).data).toEqual({ deleted: 0 });
    expect(await log.rows()).toBe(4);
    await other.close();
  });
});
