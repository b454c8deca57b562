import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { indexSearchEntry, outboxRow, sendMessage } from '@quire/jobs';
import { eventually, eventuallyPasses, testStores } from '@quire/testing';
import { AdminService } from '../../admin-service.js';
import { AppContainer } from '../../app-container.js';
import { openInstallation, type TestInstallation } from '../../installation.fixture.js';
import { databasesOf } from '../../services.js';
import { searchTasks } from '@quire/search-service';
import { formatSeconds } from './output.js';

let test: TestInstallation;
beforeAll(async () => {
  test = await openInstallation('queues');
});
afterAll(() => test.close());

describe.each(['PostgreSQL', 'Redis'])('the commands on queues, with queues on %s', (store) => {
  let installation: AppContainer;
  let deps: { adminService: AdminService; installation: AppContainer };
  beforeAll(() => {
    const changes = {
      REDIS_URL: store === 'Redis' ? testStores().redisUrl : undefined,
      CMS_NAMESPACE: `commands_${process.pid}`,
    };
    installation = new AppContainer({ ...test.environment, ...changes }, { defaultLocale: 'en' }, ['spec']);
    deps = { adminService: new AdminService(installation), installation };
  });
  afterAll(() => installation.lifecycle.stop());

  const cms = (command: string, values: Record<string, string | boolean> = {}, ...positionals: string[]) =>
    test.run(command, values, positionals, deps);
  const job = indexSearchEntry;
  const { queue } = job;
  const line = async (name = queue) =>
    (await cms('queue list'))
      .split('\n')
      .find((row) => row.startsWith(`${name} `))
      ?.replace(/ +/g, ' ');

  async function add(...jobs: [id: string, tenantId: string][]) {
    const { name, attempts, backoffMs, keepCompleted, keepFailed } = job;
    const options = { name, attempts, backoffMs, keepCompleted, keepFailed, delayMs: 0 };
    const backend = await installation.queues();
    await backend.queue(queue).addAll(jobs.map(([id, tenantId]) => ({ ...options, id, data: { tenantId } })));
  }
  const startWorker = async (run: () => Promise<unknown>) =>
    (await installation.queues()).worker(queue, { concurrency: 1, lockSeconds: 30, maxStalls: 1 }, run);

  it('show a queue without a worker, and whose jobs wait', async () => {
    await add(['a1', 'acme'], ['a2', 'acme'], ['g1', 'globex']);
    expect(await line()).toMatch(/^search 3 0 0 0 \d+s 0 NO WORKER 0 \(0s\)$/);
    expect((await cms('queue list')).split('\n')[0]?.replace(/ +/g, ' ')).toBe(
      'QUEUE WAITING ACTIVE DELAYED FAILED OLDEST WORKERS STATE OUTBOX',
    );
    const [title, ...sites] = (await cms('queue top', {}, queue)).split('\n');
    expect(title).toMatch(/^SITE +WAITING +STATE$/);
    expect(sites.slice(0, 2).map((row) => row.split(/ +/))).toEqual([
      ['acme', '2'],
      ['globex', '1'],
    ]);
    expect(sites[2]).toBe('Read 3 of 3 waiting jobs');
    const listed = JSON.parse(await cms('queue list', { json: true })) as {
      queue: string;
      waiting: number;
    }[];
    expect(listed.find((each) => each.queue === queue)).toMatchObject({ waiting: 3, state: 'NO WORKER' });
  });

  it('pause a queue, and resume it after the jobs of a site are deleted', async () => {
    expect(await cms('queue pause', {}, queue)).toBe('Paused search');
    expect(await line()).toMatch(/^search 3 0 0 0 \d+s 0 paused /);
    await expect(cms('queue drop', { tenant: 'globex' }, queue)).rejects.toThrow('confirm with --yes');
    expect(await cms('queue drop', { tenant: 'globex', yes: true }, queue)).toBe(
      'Deleted 1 job(s) of globex in search',
    );
    expect(await cms('queue resume', {}, queue)).toBe('Resumed search');
    expect(await line()).toMatch(/^search 2 0 0 0 /);
  });

  it('pause the jobs of one site, and resume them', async () => {
    const tenant = 'default';
    expect(await cms('queue pause', { tenant }, queue)).toBe('Paused search of default');
    expect(await line()).toMatch(/^search 2 0 0 0 \d+s 0 NO WORKER, 1 site paused /);
    const top = await cms('queue top', {}, queue);
    expect(top).toMatch(/^acme +2$/m);
    expect(top).toMatch(/^default +0 +paused$/m);
    const listed = JSON.parse(await cms('queue list', { json: true })) as { queue: string }[];
    expect(listed.find((each) => each.queue === queue)).toMatchObject({
      state: 'NO WORKER',
      pausedSites: [tenant],
    });
    expect(JSON.parse(await cms('queue resume', { tenant, json: true }, queue))).toEqual({
      queue,
      tenant,
      paused: false,
    });
    expect(await line()).toMatch(/^search 2 0 0 0 \d+s 0 NO WORKER 0/);
  });

  it('list failed jobs with the reason, and retry those of a site', async () => {
    const failing = await startWorker(async () => {
      throw Object.assign(new Error('no index'), { name: 'UnrecoverableError' });
    });
    await eventuallyPasses(line, (row) => expect(row).toMatch(/^search 0 0 0 2 0s 1 running /));
    await failing.stop(5);
    const failed = await cms('queue failed', { tenant: 'acme' }, queue);
    expect(failed.split('\n')[0]).toMatch(/^ID +JOB +SITE +ATTEMPTS +AGE +REASON$/);
    expect(failed).toMatch(/^a1 +search\.index-entry +acme +1 +\d+s +no index$/m);
    expect(await cms('queue failed', { tenant: 'globex' }, queue)).toBe('No failed job in search');
    expect(await cms('queue retry', { tenant: 'acme', job: job.name }, queue)).toBe(
      'Retried 2 job(s) of search',
    );
    let runs = 0;
    const working = await startWorker(async () => (runs += 1));
    await eventually(async () => runs === 2);
    await eventuallyPasses(line, (row) => expect(row).toMatch(/^search 0 0 0 0 /));
    await working.stop(5);
  });

  it('show messages in the outbox, retry a failed one and delete it', async () => {
    const sql = (await databasesOf(installation, 'content')).shared();
    const row = outboxRow(job, { tenantId: 'acme', collection: 'posts', entryId: 'e' });
    await sendMessage(sql, 'content', row);
    expect(await line()).toMatch(/ 1 \(\d+s\)$/);
    const fail = () =>
      sql.query("UPDATE outbox SET failed_at = now(), failure = '22P05: no NUL' WHERE id = $1", [row.id]);
    await fail();
    expect(await line()).toMatch(/ 0 \(0s\)$/);
    expect(await cms('outbox list')).toMatch(
      new RegExp(`^${row.id} +content +search\\.index-entry +acme +\\d+s +22P05: no NUL$`, 'm'),
    );
    expect(await cms('outbox retry', {}, row.id)).toBe(`The message ${row.id} is pending again`);
    expect(await cms('outbox list')).toBe('No failed message');
    await expect(cms('outbox drop', { yes: true }, row.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await fail();
    await expect(cms('outbox drop', {}, row.id)).rejects.toThrow('confirm with --yes');
    expect(await cms('outbox drop', { yes: true }, row.id)).toBe(`Deleted the message ${row.id}`);
    expect(await sql.query('SELECT id FROM outbox')).toEqual([]);
  });

  it('count the pending work of all sites, and of one', async () => {
    const sql = (await databasesOf(installation, 'search')).shared();
    const task = { collectionId: 'c', task: 'index', entryId: 'e' } as const;
    await searchTasks.enqueue(sql, [
      { ...task, tenantId: 'default' },
      { ...task, tenantId: 'globex' },
    ]);
    const row = async (values: Record<string, string>) =>
      (await cms('backlog', values)).split('\n').at(-1)?.replace(/ +/g, ' ');
    expect(await row({ work: 'search_tasks' })).toMatch(/^search_tasks 2 2 0 \d+s 0$/);
    expect(await row({ work: 'search_tasks', tenant: 'default' })).toMatch(/^search_tasks 1 1 0 \d+s 0$/);
    const works = (JSON.parse(await cms('backlog', { json: true })) as { work: string }[]).map(
      ({ work }) => work,
    );
    expect(works).toEqual(
      expect.arrayContaining(['schedules', 'usage_work', 'object_deletions', 'pending_mails']),
    );
    await expect(cms('backlog', { work: 'nothing' })).rejects.toThrow(
      'There is no work nothing: choose among',
    );
    await sql.query('DELETE FROM search_tasks');
  });

  it('log every change with the operator, the newest first', async () => {
    const actions = JSON.parse(await cms('operator log', { json: true })) as object[];
    const actor = expect.stringMatching(/^cli:.+/);
    expect(actions.slice(0, 8)).toMatchObject([
      { actor, action: 'outbox drop', count: 1 },
      { actor, action: 'outbox retry', count: 1 },
      { action: 'queue retry', target: queue, detail: { tenant: 'acme', job: job.name }, count: 2 },
      { action: 'queue resume', target: queue, detail: { tenant: 'default' }, count: 1 },
      { action: 'queue pause', target: queue, detail: { tenant: 'default' }, count: 1 },
      { action: 'queue resume', target: queue, detail: {} },
      { action: 'queue drop', target: queue, detail: { tenant: 'globex' }, count: 1 },
      { action: 'queue pause', target: queue },
    ]);
    expect((await cms('operator log')).split('\n')[0]).toMatch(
      /^TIME +ACTOR +ACTION +TARGET +COUNT +DETAIL$/,
    );
  });

  it('fail with one line for an unknown queue', async () => {
    await expect(cms('queue pause', {}, 'serach')).rejects.toThrow(
      /^There is no queue serach: choose among audit, auth, content, media, search, transfer$/,
    );
    await expect(cms('queue resume', { tenant: 'default' }, 'serach')).rejects.toThrow('There is no queue');
  });

  it('pause no site that does not exist', async () => {
    await expect(cms('queue pause', { tenant: 'initech' }, queue)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'There is no tenant initech',
    });
  });
});

describe('formatSeconds', () => {
  it.each([
    [0.4, '0s'],
    [131, '2m11s'],
    [7_260, '2h1m'],
    [180_000, '2d2h'],
  ])('formats %d as %s', (seconds, text) => expect(formatSeconds(seconds)).toBe(text));
});
