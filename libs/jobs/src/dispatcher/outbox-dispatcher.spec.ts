import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Database, Parameters, type Queryable, type TransactionalDatabase } from '@quire/database';
import { connectQueueBackend, type JobQueue, type NewJob, type QueueBackend } from '../backend/index.js';
import { sharedSchema, type ServiceDatabases } from '@quire/tenancy';
import { eventually, testStores } from '@quire/testing';
import { useTracer } from '@quire/tracing';
import { publishScheduledEntry } from '../declare/jobs.js';
import { openOutbox } from '../outbox/outbox.fixture.js';
import { pausedSitesOf } from '../pause/pauses.fixture.js';
import { outboxInsert, outboxRow, sendMessage } from '../outbox/outbox.js';
import { OutboxDispatcher } from './outbox-dispatcher.js';

const stopWithinSeconds = 5;
/** The shortest time between two polls. */
const pollEveryMs = 1_000;
/** Longer than a test. */
const neverMs = 600_000;

/** A real queue backend that records the added jobs, and fails on demand. */
class TroubledBackend {
  readonly added: NewJob[] = [];
  isDown = false;
  failsAfterAdding = false;
  delayMs = 0;

  constructor(private readonly real: QueueBackend) {}

  asBackend(): QueueBackend {
    const { real } = this;
    const queue = (name: string): JobQueue => ({
      addAll: async (jobs) => {
        if (this.isDown) throw new Error('the store is down');
        await wait(this.delayMs);
        await real.queue(name).addAll(jobs);
        this.added.push(...jobs);
        if (this.failsAfterAdding) throw new Error('killed between adding and deleting');
      },
      counts: () => real.queue(name).counts(),
      waiting: () => real.queue(name).waiting(),
    });
    return { ...real, queue };
  }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  expect(await eventually(async () => isSo())).toBe(true);
}

const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
let count = 0;

describe.each(['PostgreSQL', 'Redis'])('the outbox dispatcher with a queue on %s', (store) => {
  let service: string;
  const running: OutboxDispatcher[] = [];
  let databases: ServiceDatabases;
  let sql: TransactionalDatabase;
  let requests: Database;
  /** As `sql`, for statements of a request. */
  let traced: TransactionalDatabase;
  let real: QueueBackend;
  let backend: TroubledBackend;
  let warnings: string[];
  let errors: string[];
  let job: typeof publishScheduledEntry;

  beforeAll(async () => {
    const { databaseUrl, redisUrl } = testStores();
    ({ service, databases } = await openOutbox(`outbox_${store.toLowerCase()}`));
    sql = databases.shared();
    requests = await Database.connect({ url: databaseUrl, poolSize: 1, applicationName: 'outbox requests' });
    traced = requests.inSchema(sharedSchema(service), { trace });
    real = connectQueueBackend({
      redisUrl: store === 'Redis' ? redisUrl : undefined,
      databaseUrl,
      namespace: 'outbox_tests',
      logger: { warn: () => undefined, info: () => undefined, error: () => undefined },
    });
  });
  beforeEach(async () => {
    await sql.query('DELETE FROM outbox');
    backend = new TroubledBackend(real);
    warnings = [];
    errors = [];
    // A separate queue for each case.
    job = { ...publishScheduledEntry, queue: `outbox-${process.pid}-${Date.now()}-${(count += 1)}` };
  });
  afterEach(() => Promise.all(running.splice(0).map((one) => one.stop())));
  afterAll(async () => {
    await real.close();
    await requests.close();
    await databases.close();
  });

  function dispatcher(over: readonly TransactionalDatabase[] = [sql]): OutboxDispatcher {
    const logger = {
      warn: (_: object, text: string) => void warnings.push(text),
      info: () => undefined,
      error: (fields: object) => void errors.push(JSON.stringify(fields)),
    };
    const made = new OutboxDispatcher({
      databases: over,
      backend: backend.asBackend(),
      logger,
      pausedSites: pausedSitesOf([]),
      jobs: [job],
    });
    running.push(made);
    made.start();
    return made;
  }

  const work = (run: (id: string) => unknown) =>
    real.worker(job.queue, { concurrency: 8, lockSeconds: 5, maxStalls: 1 }, async ({ id }) => run(id));

  async function write(rows: number, { dueAt, name = job.name }: { dueAt?: Date; name?: string } = {}) {
    await sql.transaction(async (tx) => {
      for (let index = 0; index < rows; index += 1) {
        const parameters = new Parameters();
        const message = { tenantId: 't', collection: 'posts', entryId: `e${index}` };
        const row = outboxRow({ ...job, name }, message, dueAt ? { dueAt } : {});
        await tx.query(outboxInsert(service, row, parameters, '(SELECT 1) one'), parameters.values);
      }
    });
  }

  const isEmpty = (one: OutboxDispatcher) => until(async () => (await one.counts()).pending === 0);
  const queued = () => real.queue(job.queue).counts();

  it('enqueues a message as a job and deletes it from the outbox', async () => {
    const seen: unknown[] = [];
    const worker = await real.worker(
      job.queue,
      { concurrency: 1, lockSeconds: 5, maxStalls: 1 },
      async (running) => seen.push(running),
    );
    await write(1);
    const one = dispatcher();
    await until(() => seen.length === 1);
    await isEmpty(one);
    expect(seen).toMatchObject([
      {
        name: 'publish-scheduled-entry',
        data: { tenantId: 't', collection: 'posts', entryId: 'e0' },
        dueAt: expect.any(Date),
        attempt: 1,
      },
    ]);
    expect(backend.added).toMatchObject([{ delayMs: 0, attempts: job.attempts, backoffMs: job.backoffMs }]);
    await worker.stop(stopWithinSeconds);
  });

  it('gives the job the trace of the request that wrote the message, however it was written', async () => {
    const send = (on: Queryable) => sendMessage(on, service, outboxRow(job, { tenantId: 't' }));
    await send(traced);
    await traced.transaction(send);
    // As a trigger does.
    await traced.transaction((tx) =>
      tx.query(`INSERT INTO outbox (id, job, message) VALUES ('written', '${job.name}', '{"tenantId":"t"}')`),
    );
    await isEmpty(dispatcher());
    expect(backend.added.map((added) => added.trace)).toEqual([trace, trace, trace]);
    await send(sql);
    await until(() => backend.added.length === 4);
    expect(backend.added[3]?.trace).toBeUndefined();
  });

  it('publishes in a span, whose trace the run continues', async () => {
    const spans: unknown[] = [];
    await traced.transaction(async (tx) => {
      await sendMessage(tx, service, outboxRow(job, { tenantId: 't' }));
    });
    useTracer({
      startSpan: (name, { kind, parent }) => ({
        trace: trace.replace('902b7', '902b8'),
        setName: () => undefined,
        setAttributes: () => undefined,
        end: (error) => void spans.push([name, kind, parent, (error as Error | undefined)?.message]),
      }),
    });
    backend.isDown = true;
    const one = dispatcher();
    await until(() => spans.length === 1);
    backend.isDown = false;
    await isEmpty(one);
    useTracer(undefined);
    const span = ['publish publish-scheduled-entry', 'producer', trace];
    expect(spans).toEqual([
      [...span, 'the store is down'],
      [...span, undefined],
    ]);
    expect(backend.added.map((added) => added.trace)).toEqual([trace.replace('902b7', '902b8')]);
  });

  it('lets a job wait from the time of its message', async () => {
    backend.isDown = true;
    await write(2);
    await sql.query(`UPDATE outbox SET created_at = now() - interval '90 seconds'`);
    const ages: number[] = [];
    const worker = await real.worker(
      job.queue,
      { concurrency: 1, lockSeconds: 5, maxStalls: 1 },
      async ({ dueAt }) => ages.push(Date.now() - dueAt.getTime()),
    );
    backend.isDown = false;
    dispatcher();
    await until(() => ages.length === 2);
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(90_000);
    await worker.stop(stopWithinSeconds);
  });

  it('does not send a message of a transaction that was rolled back', async () => {
    const failing = sql.transaction(async (tx) => {
      const parameters = new Parameters();
      const row = outboxRow(job, { tenantId: 't', collection: 'posts', entryId: 'x' });
      await tx.query(outboxInsert(service, row, parameters, '(SELECT 1) one'), parameters.values);
      throw new Error('the change failed');
    });
    await expect(failing).rejects.toThrow('the change failed');
    dispatcher().wake();
    await wait(300);
    expect(backend.added).toEqual([]);
  });

  it('delays the job until the message is due', async () => {
    await write(1, { dueAt: new Date(Date.now() + 60_000) });
    await isEmpty(dispatcher());
    expect(backend.added[0]?.delayMs).toBeGreaterThan(55_000);
    expect(await queued()).toMatchObject({ waiting: 0, delayed: 1 });
  });

  it('keeps messages while the queue store is down, logs once, and dispatches them after recovery', async () => {
    backend.isDown = true;
    await write(3);
    const one = dispatcher();
    // Long enough for a second attempt.
    await wait(1_500);
    expect((await one.counts()).pending).toBe(3);
    expect(warnings).toEqual(['outbox dispatch failed: messages stay queued']);
    backend.isDown = false;
    await isEmpty(one);
    expect(await queued()).toMatchObject({ waiting: 3 });
  });

  it('re-adds a message under the same job id when deleting it failed', async () => {
    backend.failsAfterAdding = true;
    await write(1);
    const one = dispatcher();
    await until(() => backend.added.length === 1);
    expect((await one.counts()).pending).toBe(1);
    backend.failsAfterAdding = false;
    await isEmpty(one);
    expect(backend.added.length).toBeGreaterThan(1);
    expect(new Set(backend.added.map(({ id }) => id)).size).toBe(1);
    expect(await queued()).toMatchObject({ waiting: 1 });
  });

  it('dispatches each message once with three dispatchers', async () => {
    const seen: string[] = [];
    const worker = await work((id) => seen.push(id));
    await write(1_000);
    const [one] = [1, 2, 3].map(() => dispatcher());
    await until(async () => (await one?.counts())?.pending === 0);
    expect(backend.added).toHaveLength(1_000);
    await until(() => seen.length === 1_000);
    expect(new Set(seen).size).toBe(1_000);
    await worker.stop(stopWithinSeconds);
  });

  it('leaves messages for unknown jobs in the outbox and logs them', async () => {
    await write(1, { name: 'from-the-future' });
    await write(1);
    const one = dispatcher();
    await until(() => backend.added.length === 1 && warnings.length > 0);
    await until(async () => (await one.counts()).pending === 1);
    expect(await sql.query('SELECT job FROM outbox')).toEqual([{ job: 'from-the-future' }]);
    expect(warnings).toEqual(['outbox holds messages for unknown jobs']);
  });

  /** A message that the store of the queue really rejects. */
  async function writeRejected(): Promise<string> {
    const message = { tenantId: 't', collection: 'posts', entryId: 'a secret \0' };
    // PostgreSQL stores no NUL in jsonb. BullMQ on Redis stores every text, and accepts no id with a colon.
    const row = { ...outboxRow(job, message), ...(store === 'Redis' ? { id: '0:0' } : {}) };
    await sendMessage(traced, service, row);
    return row.id;
  }
  const failedRows = () =>
    sql.query<{ id: string; failure: string }>('SELECT id, failure FROM outbox WHERE failed_at IS NOT NULL');

  it('adds all messages of a batch but the one that the queue rejects, and keeps that one as failed', async () => {
    await write(20);
    const rejected = await writeRejected();
    await write(20);
    const one = dispatcher();
    await isEmpty(one);
    expect(await queued()).toMatchObject({ waiting: 40 });
    const failure =
      store === 'Redis' ? "JobId cannot be '0' or start with '0:'" : expect.stringContaining('22P05: ');
    expect(await failedRows()).toEqual([{ id: rejected, failure }]);
    expect(errors.map((line) => JSON.parse(line) as object)).toEqual([
      { job: job.name, messageId: rejected, tenant: 't', traceId: trace.slice(3, 35), failure },
    ]);
    expect(errors.join()).not.toContain('secret');
    await write(1);
    await until(async () => (await queued())['waiting'] === 41);
    expect(errors).toHaveLength(1);
  });

  it('keeps a message as failed when there is no other one', async () => {
    const rejected = await writeRejected();
    dispatcher();
    await until(async () => (await failedRows()).length === 1);
    expect(await failedRows()).toMatchObject([{ id: rejected }]);
  });

  it('dispatches from one database while another is unavailable', async () => {
    const missing: TransactionalDatabase = {
      query: () => Promise.reject(new Error('missing')),
      transaction: () => Promise.reject(new Error('missing')),
    };
    await write(2);
    dispatcher([missing, sql]);
    await until(() => backend.added.length === 2);
    expect(warnings).toEqual(['outbox dispatch failed: messages stay queued']);
  });

  it('opens no transaction while there is no message, and dispatches one that another program writes', async () => {
    let polls = 0;
    let transactions = 0;
    const counted: TransactionalDatabase = {
      query: (statement, values) => {
        polls += 1;
        return sql.query(statement, values);
      },
      transaction: (work) => {
        transactions += 1;
        return sql.transaction(work);
      },
    };
    dispatcher([counted]);
    await until(() => polls > 2);
    expect(transactions).toBe(0);
    await write(1);
    await until(() => backend.added.length === 1);
  });

  it('dispatches after a commit without waiting for the poll interval', async () => {
    const start = setTimeout;
    const startTimer = ((run: () => void, ms = 0) =>
      start(run, ms < pollEveryMs ? ms : neverMs)) as typeof setTimeout;
    const timers = jest.spyOn(globalThis, 'setTimeout').mockImplementation(startTimer);
    const one = dispatcher();
    await until(() => timers.mock.calls.some(([, ms = 0]) => ms >= pollEveryMs));
    await write(1);
    const commits = setInterval(() => one.wake(), 0);
    await until(() => backend.added.length === 1);
    clearInterval(commits);
    timers.mockRestore();
  });

  it('finishes the running batch before it stops', async () => {
    backend.delayMs = 300;
    await write(5);
    const one = dispatcher();
    await wait(150);
    await one.stop();
    expect((await one.counts()).pending).toBe(0);
    expect(await queued()).toMatchObject({ waiting: 5 });
  });

  it('reports the number and age of pending messages', async () => {
    backend.isDown = true;
    await write(2);
    await sql.query(`UPDATE outbox SET created_at = now() - interval '90 seconds'`);
    const one = dispatcher();
    expect((await one.counts()).pending).toBe(2);
    expect((await one.counts()).oldestSeconds).toBeGreaterThanOrEqual(90);
  });
});
