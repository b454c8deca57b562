import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parameters, type TransactionalSql } from '@quire/database';
import { connectQueueBackend, type JobQueue, type NewJob, type QueueBackend } from '@quire/queue';
import { migrateShared, ServiceDatabases } from '@quire/tenancy';
import { testStores } from '@quire/testing';
import { publishScheduledEntry } from '../declare/jobs.js';
import { outboxInsert, outboxMigration, outboxRow } from '../outbox/outbox.js';
import { OutboxDispatcher } from './outbox-dispatcher.js';

const service = `outbox_${process.pid}`;
const silent = { warn: () => undefined, info: () => undefined };

let databases: ServiceDatabases;
let sql: TransactionalSql;
let backend: QueueBackend;
const running: OutboxDispatcher[] = [];

/** A queue backend that remembers what was added, and fails when it is told to. */
class RecordingBackend {
  readonly added: NewJob[] = [];
  isDown = false;
  failsAfterAdding = false;

  asBackend(): QueueBackend {
    const queue: JobQueue = {
      addAll: async (jobs) => {
        if (this.isDown) throw new Error('the store is down');
        this.added.push(...jobs);
        if (this.failsAfterAdding) throw new Error('killed between adding and deleting');
      },
      counts: () => Promise.reject(new Error('not planned')),
    };
    return { ...backend, queue: () => queue };
  }
}

function dispatcher(on: QueueBackend): OutboxDispatcher {
  const made = new OutboxDispatcher({ databases: [sql], backend: on, logger: silent });
  running.push(made);
  made.start();
  return made;
}

async function write(count: number, dueAt?: Date): Promise<void> {
  await sql.transaction(async (tx) => {
    for (let index = 0; index < count; index += 1) {
      const parameters = new Parameters();
      const message = { tenantId: 't', collection: 'posts', entryId: `e${index}` };
      const row = outboxRow(publishScheduledEntry, message, dueAt ? { dueAt } : {});
      await tx.query(outboxInsert(service, row, parameters, '(SELECT 1) one'), parameters.values);
    }
  });
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 10_000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('It did not happen in time');
    await wait(20);
  }
}

beforeAll(async () => {
  const { databaseUrl } = testStores();
  databases = await ServiceDatabases.open({
    service,
    url: databaseUrl,
    extraUrls: new Map(),
    poolSize: 8,
    applicationName: 'outbox',
  });
  await migrateShared(databases, { tenant: [], shared: [outboxMigration] });
  sql = databases.shared();
  backend = connectQueueBackend({
    redisUrl: undefined,
    databaseUrl,
    namespace: 'outbox_tests',
    logger: silent,
  });
});
beforeEach(() => sql.query('DELETE FROM outbox'));
afterEach(() => Promise.all(running.splice(0).map((one) => one.stop())));
afterAll(async () => {
  await backend.close();
  await databases.close();
});

describe('the outbox dispatcher', () => {
  it('sends a message as a job of its declaration and forgets it', async () => {
    const recording = new RecordingBackend();
    await write(1);
    const one = dispatcher(recording.asBackend());
    await until(async () => (await one.pending()) === 0);
    expect(recording.added).toHaveLength(1);
    expect(recording.added[0]).toMatchObject({
      name: 'publish-scheduled-entry',
      data: { tenantId: 't', collection: 'posts', entryId: 'e0' },
      delayMs: 0,
      attempts: publishScheduledEntry.attempts,
    });
  });

  it('does not send a message of a transaction that was rolled back', async () => {
    const recording = new RecordingBackend();
    const failing = sql.transaction(async (tx) => {
      const parameters = new Parameters();
      const row = outboxRow(publishScheduledEntry, { tenantId: 't', collection: 'posts', entryId: 'x' });
      await tx.query(outboxInsert(service, row, parameters, '(SELECT 1) one'), parameters.values);
      throw new Error('the change failed');
    });
    await expect(failing).rejects.toThrow('the change failed');
    dispatcher(recording.asBackend()).wake();
    await wait(300);
    expect(recording.added).toEqual([]);
  });

  it('delays the job until the message is due', async () => {
    const recording = new RecordingBackend();
    await write(1, new Date(Date.now() + 60_000));
    dispatcher(recording.asBackend());
    await until(() => recording.added.length === 1);
    expect(recording.added[0]?.delayMs).toBeGreaterThan(55_000);
  });

  it('keeps messages while the store is down and sends them when it is back', async () => {
    const recording = new RecordingBackend();
    recording.isDown = true;
    await write(3);
    const one = dispatcher(recording.asBackend());
    await wait(300);
    expect(await one.pending()).toBe(3);
    recording.isDown = false;
    await until(async () => (await one.pending()) === 0);
    expect(recording.added).toHaveLength(3);
  });

  it('sends again, under the same id, what it could not delete: adding twice adds one job', async () => {
    const recording = new RecordingBackend();
    recording.failsAfterAdding = true;
    await write(1);
    const one = dispatcher(recording.asBackend());
    await until(() => recording.added.length === 1);
    expect(await one.pending()).toBe(1);
    recording.failsAfterAdding = false;
    await until(async () => (await one.pending()) === 0);
    expect(new Set(recording.added.map(({ id }) => id)).size).toBe(1);
  });

  it('loses nothing and doubles nothing when three run at once', async () => {
    const recording = new RecordingBackend();
    await write(1_200);
    const [one] = [1, 2, 3].map(() => dispatcher(recording.asBackend()));
    await until(async () => (await one?.pending()) === 0);
    expect(recording.added).toHaveLength(1_200);
    expect(new Set(recording.added.map(({ id }) => id)).size).toBe(1_200);
  });

  it('says how many messages wait and for how long', async () => {
    const recording = new RecordingBackend();
    recording.isDown = true;
    await write(2);
    await sql.query(`UPDATE outbox SET created_at = now() - interval '90 seconds'`);
    const one = dispatcher(recording.asBackend());
    expect(await one.pending()).toBe(2);
    expect(await one.oldestSeconds()).toBeGreaterThanOrEqual(90);
  });
});
