import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { indexSearchEntry, jobs } from '@quire/jobs';
import { eventuallyPasses, testStores } from '@quire/testing';
import { apiTargets } from '@quire/topology';
import { AppContainer } from '../../app-container.js';
import { openInstallation, type TestInstallation } from '../../installation.fixture.js';
import type { RunningProcess } from '../../process.js';
import { QueueAdminService } from '../../queue-admin-service.js';
import { callOps, fromOwnPage, signIn, withToken, type OpsRequest } from '../operations.fixture.js';
import { idsOf } from './queues-for-board.js';

let test: TestInstallation;
let viewer: string;
let operator: string;
beforeAll(async () => {
  test = await openInstallation('board');
  viewer = await test.run('operator token create', { name: 'Vera', role: 'viewer' });
  operator = await test.run('operator token create', { name: 'Otto', role: 'operator' });
});
afterAll(() => test.close());

const { queue, name } = indexSearchEntry;
const api = '/ops/queues/api/queues';

/** Every route of bull-board 9.10.1 that changes something, except those that operators may use. */
const refused: [method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string][] = [
  ['POST', `${api}/${queue}/add`],
  ['PUT', `${api}/${queue}/retry/completed`],
  ['PUT', `${api}/${queue}/promote`],
  ['PUT', `${api}/${queue}/clean/failed`],
  ['PUT', `${api}/${queue}/concurrency`],
  ['PUT', `${api}/${queue}/rate-limit`],
  ['PUT', `${api}/${queue}/rate-limit/release`],
  ['PUT', `${api}/${queue}/empty`],
  ['PUT', `${api}/${queue}/obliterate`],
  ['PUT', `${api}/${queue}/job-schedulers/s/remove`],
  ['PATCH', `${api}/${queue}/job-schedulers/s`],
  ['PUT', `${api}/${queue}/job-schedulers/s/run`],
  ['PUT', `${api}/${queue}/kept/clean`],
  ['PATCH', `${api}/${queue}/kept/update-data`],
  ['PATCH', `${api}/${queue}/kept/delay`],
  ['PATCH', `${api}/${queue}/kept/priority`],
  ['PUT', `${api}/${queue}/kept/remove-unprocessed-children`],
  ['POST', '/ops/queues/api/metrics/history/purge'],
  ['DELETE', `${api}/${queue}`],
  ['POST', `${api}/${queue}/pause`],
  ['PUT', `${api}/${queue}/kept/retry/`],
  ['PUT', '/ops/queues'],
];

/** The routes that operators may use. */
const allowed = [
  `${api}/${queue}/kept/retry`,
  `${api}/${queue}/retry/failed`,
  `${api}/${queue}/kept/promote`,
  `${api}/${queue}/pause`,
  `${api}/${queue}/resume`,
  `${api}/pause`,
  `${api}/resume`,
];

describe.each(['PostgreSQL', 'Redis'])('the dashboard, with queues on %s', (store) => {
  let installation: AppContainer;
  let running: RunningProcess;
  beforeAll(async () => {
    const changes = {
      REDIS_URL: store === 'Redis' ? testStores().redisUrl : undefined,
      CMS_NAMESPACE: `board_${process.pid}`,
    };
    installation = new AppContainer({ ...test.environment, ...changes }, { defaultLocale: 'en' }, ['spec']);
    running = await test.start(apiTargets, undefined, changes);
    await add('kept', 3_600_000);
    await add('fails', 0);
    const failing = await (
      await installation.queues()
    ).worker(queue, { name: 'spec@host:1', concurrency: 1, lockSeconds: 30, maxStalls: 1 }, async () => {
      throw Object.assign(new Error('no index'), { name: 'UnrecoverableError' });
    });
    await eventuallyPasses(state, ({ failed }) => expect(failed).toBe(1));
    await failing.stop(5);
  });
  afterAll(async () => {
    await running.stop();
    await installation.lifecycle.stop();
  });

  async function add(id: string, delayMs: number) {
    const { attempts, backoffMs, keepCompleted, keepFailed } = indexSearchEntry;
    const data = { tenantId: 'acme', entryId: 'e1', collection: 'posts', clientAddress: '192.0.2.1' };
    const backend = await installation.queues();
    await backend
      .queue(queue)
      .addAll([{ name, id, data, delayMs, attempts, backoffMs, keepCompleted, keepFailed }]);
  }
  const state = async () => (await installation.queues()).admin(queue).state();
  const call = (path: string, token: string, request: OpsRequest = {}) =>
    callOps(running, path, { ...request, headers: { ...withToken(token), ...request.headers } });
  const actions = async (count: number) => new QueueAdminService(installation).actions(count);

  it.each([
    ['viewers, read-only', () => viewer, true],
    ['operators', () => operator, false],
  ])('shows the queues and jobs to %s', async (_, token, readOnlyMode) => {
    const { status, text } = await call(`${api}?activeQueue=${queue}&status=failed&page=1`, token());
    expect(status).toBe(200);
    const { queues } = JSON.parse(text) as { queues: { name: string; jobs: object[] }[] };
    expect(queues.map((each) => each.name)).toEqual([...new Set(jobs.map((job) => job.queue))].sort());
    const shown = queues.find((each) => each.name === queue);
    expect(shown).toMatchObject({
      readOnlyMode,
      counts: { failed: 1, delayed: 1 },
      jobs: [{ id: 'fails', name, failedReason: 'no index', data: { tenantId: 'acme', entryId: 'e1' } }],
    });
    expect(text).not.toContain('192.0.2.1');
    expect(text).not.toContain('posts');
  });

  it.each(['kept', 'fails'])('shows the job %s with its site and ids only', async (id) => {
    const { text } = await call(`${api}/${queue}/${id}`, viewer);
    expect((JSON.parse(text) as { job: { data: object } }).job.data).toEqual({
      tenantId: 'acme',
      entryId: 'e1',
    });
  });

  it.each([`${queue}/metrics`, `${queue}/workers`, `${queue}/fails/logs`, `${queue}/fails/flow`])(
    'has what its page reads: %s',
    async (path) => expect((await call(`${api}/${path}`, viewer)).status).toBe(200),
  );

  it('has the state of its store, and charts of the jobs of each minute', async () => {
    const stats = JSON.parse((await call('/ops/queues/api/redis/stats', viewer)).text) as { backend: string };
    expect(stats.backend).toBe(store === 'Redis' ? 'redis' : 'postgres');
    const { failed } = JSON.parse((await call(`${api}/${queue}/metrics`, viewer)).text) as {
      failed: { meta: { count: number } };
    };
    expect(failed.meta.count).toBe(1);
  });

  it('has the connected workers', async () => {
    const worker = await (
      await installation.queues()
    ).worker(
      'media',
      { name: 'media-worker@host:7', concurrency: 1, lockSeconds: 30, maxStalls: 1 },
      async () => 1,
    );
    const { workers } = JSON.parse((await call(`${api}/media/workers`, viewer)).text) as {
      workers: object[];
    };
    expect(workers).toMatchObject([{ name: 'media-worker@host:7' }]);
    const { queues } = JSON.parse((await call(api, viewer)).text) as {
      queues: { name: string; hasWorkers: boolean }[];
    };
    expect(queues.filter((each) => each.hasWorkers).map((each) => each.name)).toEqual(['media']);
    await worker.stop(5);
  });

  it('reads no more than 100 jobs for a page', async () => {
    const { text } = await call(`${api}?activeQueue=${queue}&status=delayed&jobsPerPage=100000`, viewer);
    const { queues } = JSON.parse(text) as { queues: { name: string; pagination: { range: object } }[] };
    expect(queues.find((each) => each.name === queue)?.pagination.range).toEqual({ start: 0, end: 99 });
  });

  it.each(allowed)('rejects the change PUT %s by a viewer', async (path) => {
    const response = await call(path, viewer, { method: 'PUT' });
    expect([response.status, response.code]).toEqual([403, 'INSUFFICIENT_ROLE']);
  });

  it.each(refused)('rejects %s %s by an operator and a viewer', async (method, path) => {
    const before = await state();
    const [last] = await actions(1);
    const body = { method, body: '{}', headers: { 'content-type': 'application/json' } };
    const response = await call(path, operator, body);
    expect([response.status, response.code]).toEqual([403, 'FORBIDDEN']);
    expect((await call(path, viewer, body)).status).toBe(403);
    expect((await callOps(running, path, body)).status).toBe(401);
    expect(await state()).toEqual(before);
    expect((await actions(1))[0]).toEqual(last);
  });

  it('pauses and resumes a queue, and all queues', async () => {
    const put = async (path: string) => [(await call(path, operator, { method: 'PUT' })).status];
    expect([...(await put(`${api}/${queue}/pause`)), (await state()).isPaused]).toEqual([200, true]);
    expect([...(await put(`${api}/${queue}/resume`)), (await state()).isPaused]).toEqual([200, false]);
    expect(await actions(2)).toMatchObject([
      { actor: 'operator:Otto', action: 'queue resume', target: queue, count: 1 },
      { actor: 'operator:Otto', action: 'queue pause', target: queue, count: 1 },
    ]);
    expect([...(await put(`${api}/pause`)), (await state()).isPaused]).toEqual([200, true]);
    expect((await actions(6)).map(({ action }) => action)).toEqual(Array(6).fill('queue pause'));
    expect([...(await put(`${api}/resume`)), (await state()).isPaused]).toEqual([200, false]);
  });

  it('retries a failed job, and promotes a delayed one', async () => {
    const put = (path: string) => call(path, operator, { method: 'PUT' });
    expect((await put(`${api}/${queue}/fails/retry`)).status).toBe(200);
    expect(await state()).toMatchObject({ failed: 0, waiting: 1 });
    expect((await put(`${api}/${queue}/kept/promote`)).status).toBe(200);
    expect(await state()).toMatchObject({ delayed: 0, waiting: 2 });
    expect(await actions(2)).toMatchObject([
      { actor: 'operator:Otto', action: 'queue promote', target: queue, detail: { id: 'kept' } },
      { actor: 'operator:Otto', action: 'queue retry', target: queue, detail: { id: 'fails' } },
    ]);
    const again = await put(`${api}/${queue}/fails/retry`);
    expect([again.status, again.code]).toEqual([404, 'NOT_FOUND']);
    expect((await put(`${api}/${queue}/gone/promote`)).status).toBe(404);
    expect((await put(`${api}/serach/pause`)).status).toBe(404);
  });

  it('retries all failed jobs of a queue, from a page with the session', async () => {
    const { cookie } = await signIn(running, operator);
    const failing = await (
      await installation.queues()
    ).worker(queue, { concurrency: 1, lockSeconds: 30, maxStalls: 1 }, async () => {
      throw Object.assign(new Error('no index'), { name: 'UnrecoverableError' });
    });
    await eventuallyPasses(state, ({ failed }) => expect(failed).toBe(2));
    await failing.stop(5);
    const put = (headers: Record<string, string>) =>
      callOps(running, `${api}/${queue}/retry/failed`, { method: 'PUT', headers: { cookie, ...headers } });
    expect((await put({ 'sec-fetch-site': 'cross-site' })).code).toBe('CSRF_REJECTED');
    const { status, text } = await put(fromOwnPage);
    expect([status, JSON.parse(text)]).toEqual([200, { retried: 2 }]);
    expect(await state()).toMatchObject({ failed: 0, waiting: 2 });
    expect(await actions(1)).toMatchObject([{ actor: 'operator:Otto', action: 'queue retry', count: 2 }]);
  });
});

describe('the page of the dashboard', () => {
  let running: RunningProcess;
  beforeAll(async () => (running = await test.start(apiTargets)));
  afterAll(() => running.stop());
  const get = (path: string) => callOps(running, path, { headers: withToken(viewer) });

  it.each(['/ops/queues', '/ops/queues/', `/ops/queues/queue/${queue}`])(
    '%s loads files of the operations port only, to operators only',
    async (path) => {
      const { status, text, headers } = await get(path);
      expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
      expect(headers['content-security-policy']).toContain("script-src 'self';");
      expect(text).toContain('<base href="/ops/queues/" />');
      expect(text).not.toMatch(/https?:|<%/);
      const files = [...text.matchAll(/(?:href|src)="(static\/[^"]+)"/g)].map(([, file = '']) => file);
      expect(files.length).toBeGreaterThan(4);
      for (const file of files) {
        expect([file, (await get(`/ops/queues/${file}`)).status]).toEqual([file, 200]);
        expect((await callOps(running, `/ops/queues/${file}`)).status).toBe(401);
      }
    },
  );

  it.each(['/ops/queues/static/nothing.js', '/ops/queues/static/%2e%2e/index.ejs', '/ops/queues/static'])(
    'has no file %s',
    async (path) => expect((await get(path)).status).toBe(404),
  );
});

describe('idsOf', () => {
  it('keeps the site and ids', () => {
    const message = {
      tenantId: 't',
      entryId: 'e',
      id: 'i',
      title: 'Secret',
      path: '/x',
      count: 3,
      userId: 4,
    };
    expect(idsOf(message)).toEqual({ tenantId: 't', entryId: 'e', id: 'i' });
    expect([idsOf(null), idsOf('text')]).toEqual([{}, {}]);
  });
});
