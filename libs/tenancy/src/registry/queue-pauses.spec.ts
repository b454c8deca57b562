import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TransactionalDatabase } from '@quire/database';
import { deleteQueuePause, everyQueue, insertQueuePause, listQueuePauses } from './queue-pauses.js';
import { testStores } from '@quire/testing';
import { openTestRegistry, type TestRegistry } from './registry.fixture.js';
import { TenantRegistry } from './tenant-registry.js';

let test: TestRegistry;
let sql: TransactionalDatabase;
let registry: TenantRegistry;

beforeAll(async () => {
  test = await openTestRegistry(testStores().databaseUrl, 'spec_queue_pauses');
  ({ sql } = test);
  registry = new TenantRegistry(sql);
  for (const id of ['acme', 'globex']) await registry.add({ id, database: null }, []);
});
afterAll(() => test.close());

const pauses = async () =>
  (await listQueuePauses(sql)).map(({ queue, tenantId }) => `${queue} of ${tenantId}`);

describe('pauses of a site in a queue', () => {
  it('are of one site and one queue, once however often it is paused', async () => {
    expect(await insertQueuePause(sql, 'search', 'globex')).toBe(true);
    const [first] = await listQueuePauses(sql);
    expect(await insertQueuePause(sql, 'search', 'globex')).toBe(true);
    expect(await listQueuePauses(sql)).toEqual([first]);
    expect(first?.pausedAt).toMatch(/Z$/);
    await insertQueuePause(sql, 'search', 'acme');
    await insertQueuePause(sql, 'media', 'acme');
    expect(await pauses()).toEqual(['media of acme', 'search of acme', 'search of globex']);
    await deleteQueuePause(sql, 'search', 'acme');
    await deleteQueuePause(sql, 'search', 'acme');
    expect(await pauses()).toEqual(['media of acme', 'search of globex']);
  });

  it('are rejected for a site that does not exist', async () => {
    expect(await insertQueuePause(sql, 'search', 'initech')).toBe(false);
  });

  it('are of every queue for a suspended site', async () => {
    expect(await registry.setSuspension('acme', 'unpaid')).toBe(true);
    expect(await pauses()).toContain(`${everyQueue} of acme`);
    await registry.setSuspension('acme', null);
    expect(await pauses()).not.toContain(`${everyQueue} of acme`);
  });

  it('are deleted with their site', async () => {
    await registry.remove('acme');
    expect(await pauses()).toEqual(['search of globex']);
  });
});
