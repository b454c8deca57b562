import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TransactionalDatabase } from '@quire/database';
import type { ServiceDatabases } from '@quire/tenancy';
import { eventuallyPasses, testStores } from '@quire/testing';
import { connectQueueBackend, type QueueBackend } from '../backend/index.js';
import type { JobDeclaration } from '../declare/declare-job.js';
import { indexSearchEntry } from '../declare/jobs.js';
import { openOutbox } from '../outbox/outbox.fixture.js';
import { pausedSitesOf } from '../pause/pauses.fixture.js';
import type { PausedSites } from '../pause/paused-sites.js';
import { OutboxDispatcher } from './outbox-dispatcher.js';

const quiet = () => undefined;
const logger = { info: quiet, warn: quiet, error: quiet };
let count = 0;

describe.each(['PostgreSQL', 'Redis'])('messages of a paused site for a queue on %s', (store) => {
  let databases: ServiceDatabases;
  let sql: TransactionalDatabase;
  let backend: QueueBackend;
  let job: JobDeclaration;
  let pauses: { queue: string; tenantId: string }[];
  let pausedSites: PausedSites;
  let dispatcher: OutboxDispatcher;

  beforeAll(async () => {
    const { databaseUrl, redisUrl } = testStores();
    ({ databases } = await openOutbox(`pauses_${store.toLowerCase()}`));
    sql = databases.shared();
    backend = connectQueueBackend({
      redisUrl: store === 'Redis' ? redisUrl : undefined,
      databaseUrl,
      namespace: 'outbox_pause_tests',
      logger,
    });
  });
  beforeEach(async () => {
    await sql.query('TRUNCATE outbox');
    const queue = `pauses-${process.pid}-${Date.now()}-${(count += 1)}`;
    job = { ...indexSearchEntry, queue } as unknown as JobDeclaration;
    pauses = [{ queue, tenantId: 'acme' }];
    pausedSites = pausedSitesOf(pauses);
    await pausedSites.start();
    const other = { ...job, name: 'other', queue: `${queue}-other` };
    dispatcher = new OutboxDispatcher({
      databases: [sql],
      backend,
      logger,
      pausedSites,
      jobs: [job, other],
    });
  });
  afterEach(async () => {
    await dispatcher.stop();
    await pausedSites.stop();
  });
  afterAll(async () => {
    await backend.close();
    await databases.close();
  });

  const write = (tenant: string, rows: number, name = job.name) =>
    sql.query(
      `INSERT INTO outbox (id, job, tenant_id, message, created_at)
       SELECT gen_random_uuid(), $2, $1, json_build_object('tenantId', $1::text), now() - interval '90 seconds'
       FROM generate_series(1, $3)`,
      [tenant, name, rows],
    );
  const pending = () =>
    sql.query('SELECT tenant_id AS tenant, job, count(*)::int AS count FROM outbox GROUP BY 1, 2');
  const waiting = () => backend.queue(job.queue).waiting();

  it('stay in the outbox while others leave it, and leave it when it resumes', async () => {
    await write('acme', 30);
    await write('acme', 2, 'other');
    await write('globex', 3);
    dispatcher.start();
    const paused = { tenant: 'acme', job: job.name, count: 30 };
    await eventuallyPasses(pending, (rows) => expect(rows).toEqual([paused]));
    // A later message passes the same dispatcher, which has left the others again.
    await write('globex', 1);
    await eventuallyPasses(pending, (rows) => expect(rows).toEqual([paused]));
    expect(await waiting()).toBe(4);
    pauses.length = 0;
    await eventuallyPasses(pending, (rows) => expect(rows).toEqual([]));
    expect(await waiting()).toBe(34);
  });

  it('count as pending, without an age that alerts would report', async () => {
    await write('acme', 30);
    const countsOf = async () =>
      (await dispatcher.countsByQueue()).find(({ queue }) => queue === job.queue) ?? { oldestSeconds: -1 };
    expect(await countsOf()).toEqual({ queue: job.queue, pending: 30, oldestSeconds: 0 });
    await write('globex', 1);
    // The time of a message is rounded to milliseconds.
    expect((await countsOf()).oldestSeconds).toBeGreaterThan(89);
  });
});
