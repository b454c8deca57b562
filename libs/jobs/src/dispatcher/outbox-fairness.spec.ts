import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TransactionalDatabase } from '@quire/database';
import type { ServiceDatabases } from '@quire/tenancy';
import { eventually, testStores } from '@quire/testing';
import { connectQueueBackend, type QueueBackend } from '../backend/index.js';
import type { JobDeclaration } from '../declare/declare-job.js';
import { publishScheduledEntry } from '../declare/jobs.js';
import { openOutbox } from '../outbox/outbox.fixture.js';
import { pausedSitesOf } from '../pause/pauses.fixture.js';
import { outboxRow, sendMessage } from '../outbox/outbox.js';
import { OutboxDispatcher } from './outbox-dispatcher.js';

const logger = { warn: () => undefined, info: () => undefined, error: () => undefined };
const stopWithinSeconds = 5;
let count = 0;

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  expect(await eventually(async () => isSo())).toBe(true);
}

describe.each(['PostgreSQL', 'Redis'])('100,000 messages of one site for a queue on %s', (store) => {
  const running: OutboxDispatcher[] = [];
  let service: string;
  let databases: ServiceDatabases;
  let sql: TransactionalDatabase;
  let real: QueueBackend;
  let job: typeof publishScheduledEntry;

  beforeAll(async () => {
    const { databaseUrl, redisUrl } = testStores();
    ({ service, databases } = await openOutbox(`fairness_${store.toLowerCase()}`));
    sql = databases.shared();
    real = connectQueueBackend({
      redisUrl: store === 'Redis' ? redisUrl : undefined,
      databaseUrl,
      namespace: 'fairness_tests',
      logger,
    });
  });
  afterEach(() => Promise.all(running.splice(0).map((one) => one.stop())));
  afterAll(async () => {
    await real.close();
    await databases.close();
  });

  function dispatcher(
    jobs: readonly JobDeclaration[] = [job as unknown as JobDeclaration],
  ): OutboxDispatcher {
    const made = new OutboxDispatcher({
      databases: [sql],
      backend: real,
      logger,
      pausedSites: pausedSitesOf([]),
      jobs,
    });
    running.push(made);
    made.start();
    return made;
  }

  async function write({ dueAt, name = job.name }: { dueAt?: Date; name?: string } = {}): Promise<void> {
    const message = { tenantId: 't', collection: 'posts', entryId: 'e' };
    await sendMessage(sql, service, outboxRow({ ...job, name }, message, dueAt ? { dueAt } : {}));
  }

  const work = (run: (id: string) => unknown) =>
    real.worker(job.queue, { concurrency: 8, lockSeconds: 5, maxStalls: 1 }, async ({ id }) => run(id));
  const queued = () => real.queue(job.queue).counts();

  beforeEach(async () => {
    // A separate queue for each case.
    job = { ...publishScheduledEntry, queue: `fairness-${process.pid}-${Date.now()}-${(count += 1)}` };
    await sql.query('TRUNCATE outbox');
    await sql.query(
      `INSERT INTO outbox (id, job, tenant_id, message)
       SELECT 'm' || lpad(n::text, 6, '0'), $1, 'busy', json_build_object('tenantId', 'busy')
       FROM generate_series(1, 100000) n`,
      [job.name],
    );
  });

  it('adds a message of another site within the work of a second (G6)', async () => {
    const seen: string[] = [];
    const worker = await work(async (id) => {
      await wait(5);
      seen.push(id);
    });
    dispatcher();
    await until(() => seen.length > 1_000);
    const before = seen.length;
    await write();
    const [{ id = '' } = {}] = await sql.query<{ id: string }>("SELECT id FROM outbox WHERE tenant_id = 't'");
    await until(() => seen.includes(id));
    // In the order of ids it is the last of all.
    expect(seen.indexOf(id) - before).toBeLessThan(5_000);
    await worker.stop(stopWithinSeconds);
  });

  it('keeps them in the outbox while no worker takes jobs, and adds jobs that are due later', async () => {
    const one = dispatcher();
    // The messages of the first batch are deleted once their jobs are in the queue.
    await until(async () => (await one.counts()).pending < 100_000);
    await wait(500);
    const waiting = (await queued())['waiting'] ?? 0;
    expect(waiting).toBeLessThanOrEqual(100);
    expect((await one.counts()).pending).toBe(100_000 - waiting);
    await write({ dueAt: new Date(Date.now() + 60_000) });
    const worker = await work(() => undefined);
    await until(async () => (await queued())['delayed'] === 1);
    await worker.stop(stopWithinSeconds);
  });

  it('adds the messages for another queue although theirs is full', async () => {
    const other = { ...job, name: 'other', queue: `${job.queue}-other` };
    dispatcher([job, other]);
    await until(async () => (await queued())['waiting'] !== 0);
    await write({ name: 'other' });
    await until(async () => (await real.queue(other.queue).waiting()) === 1);
    expect(await real.queue(job.queue).waiting()).toBeLessThanOrEqual(100);
  });
});
