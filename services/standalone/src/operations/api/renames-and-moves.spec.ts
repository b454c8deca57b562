import 'reflect-metadata';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TransactionalDatabase } from '@quire/database';
import { eventually } from '@quire/testing';
import { apiTargets } from '@quire/topology';
import type { RunningProcess } from '../../process.js';
import { AdminService } from '../../admin-service.js';
import { AppContainer } from '../../app-container.js';
import { openMoveInstallation, otherKey, setOtherUrl, type MoveInstallation } from '../../move.fixture.js';
import { openApiClient, type ApiClient, type ApiResponse } from './api.fixture.js';

let test: MoveInstallation;
let running: RunningProcess;
let api: ApiClient;
let sql: TransactionalDatabase;
beforeAll(async () => {
  test = await openMoveInstallation('renames_and_moves');
  sql = await test.installation.registryTables();
  running = await test.start(apiTargets);
  api = await openApiClient(
    running,
    await test.run('operator token create', { name: 'Olga', role: 'operator' }),
  );
});
afterEach(async () => {
  for (const { id } of await test.adminService.tenants.details())
    if (id !== 'default') await test.adminService.deletions.purge(id);
});
afterAll(async () => {
  await running.stop();
  await test.close();
});

const tenants = '/ops/api/tenants';
const acme = `${tenants}/acme`;
const body = { id: 'acme', hosts: ['acme.example'] };
const create = (changes: object = {}) => api.call('POST', tenants, { ...body, ...changes });
const lastActions = async (count: number) => {
  const { data } = await api.call('GET', `/ops/api/log?limit=${count}`);
  return data['items'] as Record<string, unknown>[];
};
const itemOf = ({ data }: ApiResponse) => data['item'] as Record<string, unknown>;
const pathsOf = ({ error }: ApiResponse) => error.details?.issues.map(({ path }) => path);

describe('POST /ops/api/tenants/{id}/rename', () => {
  it('gives a site another id, once; the former one still leads to it and is taken', async () => {
    await create();
    for (const path of [acme, acme, `${tenants}/globex`]) {
      const { status, data } = await api.call('POST', `${path}/rename`, { id: 'globex' });
      expect([status, data['item']]).toEqual([
        200,
        expect.objectContaining({ id: 'globex', storageId: 'acme' }),
      ]);
    }
    expect(itemOf(await api.call('GET', acme))).toMatchObject({ id: 'globex', hosts: body.hosts });
    const last = await lastActions(2);
    expect(last.map(({ action }) => action)).toEqual(['tenant rename', 'tenant create']);
    expect(last[0]).toMatchObject({ actor: 'operator:Olga', target: 'acme', detail: { to: 'globex' } });
    expect((await create({ hosts: ['other.example'] })).code).toBe('CONFLICT');
    expect((await create({ id: 'globex' })).status).toBe(200);
    await create({ id: 'initech', hosts: ['initech.example'] });
    expect((await api.call('POST', `${tenants}/initech/rename`, { id: 'acme' })).code).toBe('CONFLICT');
    expect(pathsOf(await api.call('POST', `${acme}/rename`, { id: 'A' }))).toEqual(['id']);
  });
});

describe('POST /ops/api/tenants/{id}/move', () => {
  const move = `${acme}/move`;
  /** A busy machine may need further attempts. */
  const endMs = 200_000;
  const timeoutMs = 240_000;
  // With it no move waits for the processes to know of the new database.
  const request = { database: otherKey, keepCopy: true };
  const requested = (changes: object = {}) => api.call('POST', move, { ...request, ...changes });
  const ended = () =>
    eventually(
      async () => itemOf(await api.call('GET', move)),
      ({ endedAt }) => endedAt !== null,
      endMs,
    );
  const withWorker = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const worker = await test.start(['auth-worker']);
    try {
      return await work();
    } finally {
      await worker.stop();
    }
  };
  /** The databases with tables of the site. */
  const copies = async () => {
    const found: (string | null)[] = [];
    for (const key of [null, otherKey]) {
      const rows = await test.on(key, "SELECT 1 FROM pg_tables WHERE schemaname = 'site_acme'");
      if (rows.length > 0) found.push(key);
    }
    return found;
  };

  it(
    'is accepted, made by a worker, and shown until its end',
    async () => {
      await create();
      expect((await api.call('GET', move)).code).toBe('NOT_FOUND');
      const first = await requested();
      const pending = { state: 'pending', step: null, endedAt: null, error: null, receipt: null };
      expect([first.status, first.data['item']]).toEqual([
        202,
        expect.objectContaining({ ...pending, database: otherKey, maxPauseSeconds: 60, keepsCopy: true }),
      ]);
      // It is the same move, and there is no other one until it has ended.
      expect((await requested()).data).toEqual(first.data);
      expect((await requested({ maxPauseSeconds: 10 })).code).toBe('CONFLICT');
      expect((await lastActions(1))[0]).toMatchObject({
        action: 'tenant request-move',
        detail: { to: otherKey },
      });

      const result = await withWorker(ended);
      expect(result).toMatchObject({
        state: 'succeeded',
        step: 'switched',
        error: null,
        receipt: {
          from: null,
          rows: expect.any(Number),
          bytes: expect.any(Number),
          pauseMs: expect.any(Number),
        },
      });
      expect(itemOf(await api.call('GET', acme))).toMatchObject({ database: otherKey, state: 'active' });
      expect((await lastActions(1))[0]).toMatchObject({
        actor: 'operator:Olga',
        action: 'tenant move',
        target: 'acme',
        detail: { from: 'default', to: otherKey },
      });
    },
    timeoutMs,
  );

  it(
    'fails with the reason, and leaves the site where it is',
    async () => {
      await create();
      await test.on(null, 'CREATE VIEW site_acme.manual AS SELECT 1 AS one');
      await requested();
      const result = await withWorker(ended);
      expect(result).toMatchObject({ state: 'failed', receipt: null });
      expect(result['error']).toContain('cannot be copied');
      expect(itemOf(await api.call('GET', acme))).toMatchObject({ database: null, state: 'active' });
      expect(await copies()).toEqual([null]);
      expect((await lastActions(1))[0]).toMatchObject({ action: 'tenant request-move' });
      // Another one may be requested.
      expect((await requested({ maxPauseSeconds: 10 })).data['item']).toMatchObject({ state: 'pending' });
    },
    timeoutMs,
  );

  it(
    'is continued by another worker when the one that made it has died',
    async () => {
      await create();
      await requested();
      await sql.query("UPDATE tenant_moves SET attempts = 1, step = 'guarded', due_at = now()");
      expect(itemOf(await api.call('GET', move))).toMatchObject({ state: 'running', step: 'guarded' });
      expect(await withWorker(ended)).toMatchObject({ state: 'succeeded' });
      expect(itemOf(await api.call('GET', acme))).toMatchObject({ database: otherKey });
    },
    timeoutMs,
  );

  it('leaves no copy that outlives the site', async () => {
    await create();
    await test.adminService.tenants.move({
      id: 'acme',
      to: otherKey,
      maxPauseSeconds: 60,
      keepsCopy: true,
      actor: 'spec',
    });
    expect(await copies()).toEqual([null, otherKey]);
    await test.adminService.deletions.purge('acme');
    expect(await copies()).toEqual([]);
  });

  it('lets a purge wait for a database that may have a copy', async () => {
    await create();
    setOtherUrl('postgresql://127.0.0.1:1/nothing');
    const other = new AppContainer(test.environment, { defaultLocale: 'en' }, ['spec']);
    await expect(new AdminService(other).deletions.purge('acme')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    await other.lifecycle.stop();
    setOtherUrl(test.otherUrl);
    expect(itemOf(await api.call('GET', acme))).toMatchObject({ state: 'purging' });
  });

  it.each([
    [{ database: 'EU9' }, ['database']],
    [{ database: 'eu' }, ['database']],
    [{ database: undefined }, ['database']],
    [{ maxPauseSeconds: 0 }, ['maxPauseSeconds']],
    [{ maxPauseSeconds: 3_601 }, ['maxPauseSeconds']],
    [{ keepCopy: 'yes' }, ['keepCopy']],
  ])('rejects %j', async (changes, paths) => {
    await create();
    const response = await requested(changes);
    expect([response.status, pathsOf(response)]).toEqual([400, paths]);
    expect((await api.call('GET', move)).code).toBe('NOT_FOUND');
  });

  it('rejects an unknown site', async () => {
    expect((await requested()).code).toBe('NOT_FOUND');
  });
});
