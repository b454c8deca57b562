import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TransactionalDatabase } from '@quire/database';
import type { ServiceDatabases } from '@quire/tenancy';
import { eventually, testStores } from '@quire/testing';
import {
  connectQueueBackend,
  UnrecoverableJobError,
  type JobWorker,
  type NewJob,
  type QueueBackend,
} from '../backend/index.js';
import type { JobDeclaration } from '../declare/declare-job.js';
import { indexSearchEntry, syncSearchCollection } from '../declare/jobs.js';
import { openOutbox } from '../outbox/outbox.fixture.js';
import { openRegistry } from '../pause/pauses.fixture.js';
import { OutboxAdministration } from './outbox-administration.js';
import { QueueAdministration } from './queue-administration.js';

const quiet = () => undefined;
const logger = { info: quiet, warn: quiet, error: quiet };
const stopWithinSeconds = 5;
let count = 0;

describe.each(['PostgreSQL', 'Redis'])('the administration of queues on %s', (store) => {
  let backend: QueueBackend;
  let queue: string;
  let service: string;
  let databases: ServiceDatabases;
  let sql: TransactionalDatabase;
  let admin: QueueAdministration;
  let registry: Awaited<ReturnType<typeof openRegistry>>;
  const connect = (namespace: string) => {
    const { databaseUrl, redisUrl } = testStores();
    return connectQueueBackend({
      redisUrl: store === 'Redis' ? redisUrl : undefined,
      databaseUrl,
      namespace,
      logger,
    });
  };
  beforeAll(async () => {
    backend = connect('admin_tests');
    ({ service, databases } = await openOutbox(`admin_${store.toLowerCase()}`));
    sql = databases.shared();
    registry = await openRegistry('admin');
  });
  beforeEach(() => {
    queue = `admin-${process.pid}-${Date.now()}-${(count += 1)}`;
    const jobs = [indexSearchEntry, syncSearchCollection] as unknown as JobDeclaration[];
    admin = new QueueAdministration(
      backend,
      new OutboxAdministration([{ service, database: null, sql }]),
      registry.registry,
      jobs.map((job) => ({ ...job, queue })),
    );
  });
  afterEach(() => sql.query('TRUNCATE outbox'));
  afterAll(async () => {
    await backend.close();
    await databases.close();
    await registry.close();
  });

  const job = (id: string, tenantId: string, options: Partial<NewJob> = {}): NewJob => ({
    name: indexSearchEntry.name,
    id,
    data: { tenantId },
    delayMs: 0,
    attempts: 2,
    backoffMs: 10,
    keepCompleted: 100,
    keepFailed: 100,
    ...options,
  });
  const add = (...jobs: NewJob[]) => backend.queue(queue).addAll(jobs);
  const summary = async () => (await admin.list())[0];
  const startWorker = (run: (id: string) => Promise<unknown>, on = backend): Promise<JobWorker> =>
    on.worker(
      queue,
      { name: 'search-worker@host:1', concurrency: 1, lockSeconds: 30, maxStalls: 1 },
      ({ id }) => run(id),
    );
  const failAll = async () => {
    const worker = await startWorker(async () => {
      throw new UnrecoverableJobError(`first line\nsecond ${'x'.repeat(500)}`);
    });
    await eventually(async () => (await summary())?.waiting === 0 && (await summary())?.active === 0);
    await worker.stop(stopWithinSeconds);
  };

  it('counts jobs by state, and the workers of this installation', async () => {
    await add(job('a', 'acme'), job('b', 'acme'), job('c', 'acme', { delayMs: 60_000 }));
    expect(await summary()).toMatchObject({ queue, waiting: 2, delayed: 1, failed: 0, workers: 0 });
    const foreign = connect('admin_tests_other');
    await startWorker(async () => undefined, foreign);
    expect(await summary()).toMatchObject({ waiting: 2, workers: 0 });
    await admin.pause(queue);
    const worker = await startWorker(async () => undefined);
    expect(await eventually(summary, (state) => state?.workers === 1)).toMatchObject({
      waiting: 2,
      workers: 1,
    });
    await worker.stop(stopWithinSeconds);
    await foreign.close();
  });

  it('states the wait of the job that is next, without its intended delay', async () => {
    expect(await summary()).toMatchObject({ oldestSeconds: 0 });
    await add(job('next', 'acme'));
    const first = await eventually(summary, (state) => (state?.oldestSeconds ?? 0) > 0.5);
    await add(job('later', 'acme'));
    expect((await summary())?.oldestSeconds).toBeGreaterThanOrEqual(first?.oldestSeconds ?? Infinity);
  });

  it('runs no job of a paused queue, and shows its jobs', async () => {
    await admin.pause(queue);
    await add(job('a', 'acme'), job('b', 'globex'));
    const seen: string[] = [];
    const worker = await startWorker(async (id) => seen.push(id));
    expect(await summary()).toMatchObject({ isPaused: true, waiting: 2 });
    expect((await admin.top(queue)).sites).toHaveLength(2);
    expect(seen).toEqual([]);
    await admin.resume(queue);
    await eventually(async () => seen.length === 2);
    expect(seen).toEqual(['a', 'b']);
    expect(await summary()).toMatchObject({ isPaused: false, waiting: 0 });
    await worker.stop(stopWithinSeconds);
  });

  it('lists the paused sites of a queue, also those without a waiting job', async () => {
    const tenant = `paused-${store.toLowerCase()}-${process.pid}`;
    await registry.registry.query('INSERT INTO tenants (id) VALUES ($1)', [tenant]);
    await add(job('g', 'globex'));
    await admin.pauseSite(queue, tenant);
    expect(await summary()).toMatchObject({ isPaused: false, pausedSites: [tenant] });
    expect((await admin.top(queue)).sites).toEqual([
      { tenant: 'globex', jobs: 1, isPaused: false },
      { tenant, jobs: 0, isPaused: true },
    ]);
    expect(await admin.pauses()).toContainEqual({ queue, tenantId: tenant, pausedAt: expect.any(String) });
    await admin.resume(queue);
    expect(await summary()).toMatchObject({ pausedSites: [tenant] });
    await admin.resumeSite(queue, tenant);
    expect(await summary()).toMatchObject({ pausedSites: [] });
    await registry.registry.query('DELETE FROM tenants WHERE id = $1', [tenant]);
  });

  it('ranks the sites of waiting jobs', async () => {
    await add(...Array.from({ length: 230 }, (_, index) => job(`a${index}`, 'acme')), job('g', 'globex'));
    expect(await admin.top(queue)).toEqual({
      sample: 231,
      waiting: 231,
      sites: [
        { tenant: 'acme', jobs: 230, isPaused: false },
        { tenant: 'globex', jobs: 1, isPaused: false },
      ],
    });
  });

  describe('with messages that wait in the outbox for room in the queue (G6)', () => {
    const write = (tenant: string | null, name: string, rows: number) =>
      sql.query(
        `INSERT INTO outbox (id, job, tenant_id, message, created_at)
         SELECT gen_random_uuid(), $2, $1, json_build_object('tenantId', coalesce($1, 'older')),
           now() - interval '90 seconds'
         FROM generate_series(1, $3)`,
        [tenant, name, rows],
      );
    beforeEach(async () => {
      await write('acme', indexSearchEntry.name, 50);
      await write('acme', syncSearchCollection.name, 5);
      await write('globex', indexSearchEntry.name, 2);
      await write('acme', 'of another queue', 7);
      // A row of an earlier version.
      await write(null, indexSearchEntry.name, 3);
      await add(job('a', 'acme'));
    });

    it('ranks sites by both, and states the longer wait', async () => {
      expect(await admin.top(queue)).toEqual({
        sample: 61,
        waiting: 61,
        sites: [
          { tenant: 'acme', jobs: 56, isPaused: false },
          { tenant: 'older', jobs: 3, isPaused: false },
          { tenant: 'globex', jobs: 2, isPaused: false },
        ],
      });
      const state = await summary();
      expect(state).toMatchObject({ waiting: 1, outbox: { count: 60 } });
      expect(state?.oldestSeconds).toBeGreaterThanOrEqual(90);
    });

    it('deletes both, those of a site and name alone', async () => {
      expect(await admin.drop(queue, { tenant: 'acme', job: syncSearchCollection.name })).toBe(5);
      expect(await admin.drop(queue, { tenant: 'acme' })).toBe(51);
      expect(await admin.drop(queue, { tenant: 'older' })).toBe(3);
      expect(await sql.query('SELECT tenant_id, count(*)::int FROM outbox GROUP BY 1 ORDER BY 1')).toEqual([
        { tenant_id: 'acme', count: 7 },
        { tenant_id: 'globex', count: 2 },
      ]);
    });
  });

  it('lists failed jobs with one short line of their reason', async () => {
    await add(job('a', 'acme'), job('g', 'globex', { name: syncSearchCollection.name }));
    await failAll();
    const failed = await admin.failed(queue);
    expect(failed.map(({ id, job: name, tenant, attempts }) => [id, name, tenant, attempts]).sort()).toEqual([
      ['a', indexSearchEntry.name, 'acme', 1],
      ['g', syncSearchCollection.name, 'globex', 1],
    ]);
    expect(failed[0]?.reason).toMatch(/^first line second x+$/);
    expect(failed[0]?.reason).toHaveLength(200);
    expect((await admin.failed(queue, { tenant: 'acme' })).map(({ id }) => id)).toEqual(['a']);
  });

  it('retries the failed jobs of a site, a name or an id, with all their attempts', async () => {
    const other = syncSearchCollection.name;
    await add(job('a', 'acme'), job('b', 'acme', { name: other }), job('g', 'globex'), job('h', 'globex'));
    await failAll();
    expect(await admin.retry(queue, { tenant: 'acme', job: other })).toBe(1);
    expect(await admin.retry(queue, { id: 'h' })).toBe(1);
    expect(await admin.retry(queue, { id: 'missing' })).toBe(0);
    expect(await summary()).toMatchObject({ waiting: 2, failed: 2 });
    const attempts = new Map<string, number>();
    const worker = await startWorker(async (id) => {
      attempts.set(id, (attempts.get(id) ?? 0) + 1);
      throw new Error('again');
    });
    await eventually(async () => (await summary())?.failed === 4);
    expect(Object.fromEntries(attempts)).toEqual({ b: 2, h: 2 });
    await worker.stop(stopWithinSeconds);
    expect(await admin.retry(queue)).toBe(4);
  });

  it('deletes the jobs of one site', async () => {
    await add(job('f', 'acme'));
    await failAll();
    const other = syncSearchCollection.name;
    await add(
      job('a', 'acme'),
      job('b', 'acme', { delayMs: 60_000 }),
      job('c', 'acme', { name: other }),
      job('g', 'globex'),
    );
    expect(await admin.drop(queue, { tenant: 'acme', job: other })).toBe(1);
    expect(await admin.drop(queue, { tenant: 'acme' })).toBe(3);
    expect(await summary()).toMatchObject({ waiting: 1, delayed: 0, failed: 0 });
  });

  it('neither deletes nor retries a running job, nor one that is gone', async () => {
    await add(job('running', 'acme'));
    let finish = () => {};
    const finished = new Promise<void>((done) => (finish = done));
    const worker = await startWorker(() => finished);
    await eventually(async () => (await summary())?.active === 1);
    const jobsOf = backend.admin(queue);
    for (const id of ['running', 'gone']) {
      expect([id, await jobsOf.remove(id)]).toEqual([id, false]);
      expect([id, await jobsOf.retry(id)]).toEqual([id, false]);
    }
    expect(await admin.drop(queue, { tenant: 'acme' })).toBe(0);
    finish();
    await worker.stop(stopWithinSeconds);
    expect(await summary()).toMatchObject({ waiting: 0, active: 0, failed: 0 });
  });

  it('rejects an unknown queue', async () => {
    await expect(admin.top('nothing')).rejects.toThrow(`There is no queue nothing: choose among ${queue}`);
    await expect(admin.pause('nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(admin.pauseSite('nothing', 'acme')).rejects.toThrow('There is no queue nothing');
    await expect(admin.resumeSite('nothing', 'acme')).rejects.toThrow('There is no queue nothing');
  });

  it('pauses no site that does not exist', async () => {
    await expect(admin.pauseSite(queue, 'no-such-site')).rejects.toThrow('There is no tenant no-such-site');
  });
});
