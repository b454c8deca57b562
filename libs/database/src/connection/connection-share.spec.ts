import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, eventuallyPasses, testStores } from '@quire/testing';
import { ConnectionShare } from './connection-share.js';
import { Database } from './database.js';
import type { TransactionalDatabase } from './sql.js';

describe('ConnectionShare (G6)', () => {
  it.each([
    [1, 1],
    [3, 3],
    [4, 3],
    [10, 8],
    [50, 38],
  ])('leaves a quarter of a pool of %i to others', (poolSize, max) => {
    expect(new ConnectionShare(poolSize, 1_000).max).toBe(max);
  });

  it('gives places in the order of requests, and waits no longer than the timeout', async () => {
    const share = new ConnectionShare(1, 100);
    const release = await share.acquire('a');
    const order: number[] = [];
    const second = share.acquire('a').then((done) => (order.push(2), done));
    const third = share.acquire('a').then((done) => (order.push(3), done));
    expect(share.waiting).toBe(2);
    release();
    (await second)();
    (await third)();
    expect(order).toEqual([2, 3]);
    const held = await share.acquire('a');
    await expect(share.acquire('a')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 2,
      message: 'The site uses its share of database connections; retry later',
    });
    held();
    expect(share.waiting).toBe(0);
    (await share.acquire('a'))();
  });
});

describe('a pool of four connections', () => {
  const schemas = ['spec_share_a', 'spec_share_b'];
  let database: Database;
  let busy: TransactionalDatabase;
  let other: TransactionalDatabase;
  const waits: number[] = [];

  beforeAll(async () => {
    database = await Database.connect({
      url: testStores().databaseUrl,
      poolSize: 4,
      applicationName: 'connection-share.spec',
      onWait: (seconds) => waits.push(seconds),
    });
    for (const schema of schemas)
      await database.inSchema('pg_catalog').query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    [busy, other] = schemas.map((schema) => database.inSchema(schema, { asOwner: true })) as [
      TransactionalDatabase,
      TransactionalDatabase,
    ];
  });
  afterAll(async () => {
    for (const schema of schemas) await database.inSchema('pg_catalog').query(`DROP SCHEMA ${schema}`);
    await database.close();
  });

  it('serves a site at once while slow statements of another wait for their turn', async () => {
    const holder = await Database.connect({
      url: testStores().databaseUrl,
      poolSize: 1,
      applicationName: 'holder of the lock',
    });
    await holder.inSchema('pg_catalog').query('SELECT pg_advisory_lock(7210)');
    const slow = Array.from({ length: 12 }, () => busy.query('SELECT pg_advisory_xact_lock_shared(7210)'));
    await eventuallyPasses(
      () => Promise.resolve(database.poolUse),
      (use) => expect(use).toMatchObject({ total: 3, waiting: 9 }),
    );
    expect(await other.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.inSchema('pg_catalog').query('SELECT 1');
    // The end of its connection releases the lock.
    await holder.close();
    await Promise.all(slow);
    expect(database.poolUse.waiting).toBe(0);
  });

  it.each([
    ['its share', 3, () => busy],
    ['the pool', 4, () => database.inSchema('pg_catalog')],
  ])('reports for how long a statement has waited for %s', async (_, places, openHandle) => {
    const sql = openHandle();
    let end = () => undefined as void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    let entered = 0;
    const running = Array.from({ length: places }, () =>
      sql.transaction(() => {
        entered += 1;
        return ended;
      }),
    );
    await eventually(() => Promise.resolve(entered === places), Boolean, 2_000);
    waits.length = 0;
    const last = sql.query('SELECT 1');
    const startedAt = performance.now();
    await wait(10);
    const waited = performance.now() - startedAt;
    end();
    await Promise.all([...running, last]);
    expect(waits).toEqual([expect.any(Number)]);
    expect(waits[0]).toBeGreaterThanOrEqual(waited / 1000);
  });

  it('reports a wait that ends without a connection', async () => {
    const failed: number[] = [];
    const closed = await Database.connect({
      url: testStores().databaseUrl,
      poolSize: 1,
      applicationName: 'connection-share.spec',
      onWait: (seconds) => failed.push(seconds),
    });
    await closed.close();
    await expect(closed.inSchema('pg_catalog').query('SELECT 1')).rejects.toThrow();
    expect(failed).toEqual([expect.any(Number)]);
  });

  it('has all its places again after failed statements and transactions', async () => {
    const failing = Array.from({ length: 6 }, () =>
      busy.transaction(async (tx) => {
        await tx.query('SELECT 1');
        throw new Error('failed');
      }),
    );
    for (const { status } of await Promise.allSettled(failing)) expect(status).toBe('rejected');
    await Promise.allSettled(Array.from({ length: 6 }, () => busy.query('SELECT missing')));
    const rows = await Promise.all(Array.from({ length: 6 }, () => busy.query('SELECT 1 AS one')));
    expect(rows).toHaveLength(6);
  });
});
