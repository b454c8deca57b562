import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database, migrate, type Transaction, type TransactionalDatabase } from '@quire/database';
import { testStores } from '@quire/testing';
import {
  beginPurge,
  cancelDeletion,
  endPurge,
  scheduleDeletion,
  selectDuePurges,
  type PurgeCondition,
} from './deletions.js';
import { listQueuePauses } from './queue-pauses.js';
import { registryMigrations } from './registry-migrations.js';
import { recordSiteVersion } from './site-versions.js';
import { assertNotSuspended } from './suspension.js';
import { findTenantDetails, selectTenantPage } from './tenant-details.js';
import { TenantRegistry } from './tenant-registry.js';

const schema = 'spec_deletions';
const hour = 3_600;
let database: Database;
let sql: TransactionalDatabase;
let registry: TenantRegistry;

beforeAll(async () => {
  database = await Database.connect({ url: testStores().databaseUrl, poolSize: 4, applicationName: 'spec' });
  await database.inSchema('pg_catalog').query(`CREATE SCHEMA ${schema}`);
  sql = database.inSchema(schema);
  await migrate(sql, { schema, service: 'registry', migrations: registryMigrations });
});
beforeEach(async () => {
  registry = new TenantRegistry(sql);
  await registry.add({ id: 'acme', database: 'EU1' }, ['acme.example']);
  await registry.add({ id: 'globex', database: null }, ['globex.example']);
});
afterEach(() => sql.query('DELETE FROM tenants'));
afterAll(async () => {
  await database.inSchema('pg_catalog').query(`DROP SCHEMA ${schema} CASCADE`);
  await database.close();
});

/** Runs a change, and makes the registry read it. */
async function change<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  const result = await sql.transaction(work);
  registry.drop();
  return result;
}
const remove = (seconds = hour) => change((tx) => scheduleDeletion(tx, 'acme', seconds));
const restore = () => change((tx) => cancelDeletion(tx, 'acme'));
const purge = (condition: PurgeCondition) => change((tx) => beginPurge(tx, 'acme', condition));
const details = () => findTenantDetails(sql, 'acme');
const pausedSites = async () => (await listQueuePauses(sql)).map(({ tenantId }) => tenantId);
const work = () =>
  sql.query<{ id: string; inSeconds: number }>(
    `SELECT tenant_id AS id, extract(epoch FROM due_at - now())::float AS "inSeconds" FROM tenant_purges`,
  );

describe('a deleted site', () => {
  it('is not served, keeps its hosts, and its jobs are paused', async () => {
    await remove();
    expect((await registry.byHost('acme.example'))?.id).toBe('acme');
    await expect(assertNotSuspended(registry, 'acme')).rejects.toMatchObject({
      code: 'SITE_DELETED',
      status: 410,
    });
    await expect(assertNotSuspended(registry, 'globex')).resolves.toBeUndefined();
    expect(await registry.suspendedIds()).toEqual(['acme']);
    expect(await pausedSites()).toEqual(['acme']);
    const adding = registry.add({ id: 'initech', database: null }, ['acme.example']);
    await expect(adding).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await details()).toMatchObject({ state: 'pending-deletion', hosts: ['acme.example'] });
  });

  it('has a purge at the end of the time, which counts from the first deletion', async () => {
    const first = await remove(2 * hour);
    const [scheduled] = await work();
    expect(scheduled).toEqual({ id: 'acme', inSeconds: expect.closeTo(2 * hour, -2) });
    const second = await remove(3 * hour);
    expect(second?.deletedAt).toBe(first?.deletedAt);
    expect(Date.parse(second?.purgeAt ?? '') - Date.parse(first?.purgeAt ?? '')).toBe(hour * 1000);
    expect((await work())[0]?.inSeconds).toBeGreaterThan(2.5 * hour);
    expect(await remove(2 * hour)).toEqual(first);
  });

  it('is restored with the state that it had', async () => {
    await registry.setSuspension('acme', 'unpaid');
    await remove();
    expect(await restore()).toBe('restored');
    expect(await details()).toMatchObject({ state: 'suspended', deletedAt: null, purgeAt: null });
    expect(await work()).toEqual([]);
    await expect(assertNotSuspended(registry, 'acme')).rejects.toMatchObject({ code: 'SITE_SUSPENDED' });
    await registry.setSuspension('acme', null);
    expect(await pausedSites()).toEqual([]);
    expect(await restore()).toBe('active');
  });

  it('is none of an unknown id', async () => {
    expect(await change((tx) => scheduleDeletion(tx, 'initech', hour))).toBeUndefined();
    expect(await change((tx) => cancelDeletion(tx, 'initech'))).toBeUndefined();
    expect(await change((tx) => beginPurge(tx, 'initech', 'any'))).toBeUndefined();
    expect(await change((tx) => endPurge(tx, 'initech'))).toBe(false);
  });
});

describe('a purge', () => {
  it('takes the hosts, and makes the site unknown and not restorable', async () => {
    await remove();
    expect(await purge('any')).toEqual({ tenant: { id: 'acme', database: 'EU1' }, isRepeated: false });
    expect(await registry.byHost('acme.example')).toBeUndefined();
    expect(await registry.byId('acme')).toBeUndefined();
    expect(await restore()).toBe('purging');
    expect(await remove()).toBeUndefined();
    expect(await details()).toMatchObject({ state: 'purging', hosts: [] });
    await registry.addHosts({ id: 'globex', database: null }, ['acme.example']);
    expect(await registry.list()).toEqual([{ id: 'globex', database: null }]);
    expect(await registry.setSuspension('acme', 'unpaid')).toBe(false);
    const adding = registry.addHosts({ id: 'acme', database: null }, ['b.example']);
    await expect(adding).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const again = registry.add({ id: 'acme', database: null }, []);
    await expect(again).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('is due at once when an operator begins it, and is continued', async () => {
    await remove();
    await purge('any');
    expect((await work())[0]?.inSeconds).toBeLessThanOrEqual(0.001);
    expect(await purge('due')).toMatchObject({ isRepeated: true });
    expect(await selectDuePurges(sql)).toEqual(['acme']);
  });

  it('begins by its time for deleted sites only, and not before', async () => {
    expect(await purge('due')).toBeUndefined();
    await remove();
    expect(await purge('due')).toBeUndefined();
    expect(await selectDuePurges(sql)).toEqual([]);
    await remove(0);
    expect(await selectDuePurges(sql)).toEqual(['acme']);
    expect(await purge('due')).toMatchObject({ isRepeated: false });
  });

  it('of a creation that failed leaves a site that another call has completed', async () => {
    await recordSiteVersion(sql, 'acme', { content: '0001-one' });
    expect(await purge('unmade')).toBeUndefined();
    await sql.query('DELETE FROM site_versions');
    expect(await purge('unmade')).toMatchObject({ isRepeated: false });
  });

  it('ends with the removal of the site, once', async () => {
    expect(await change((tx) => endPurge(tx, 'acme'))).toBe(false);
    await purge('any');
    expect(await change((tx) => endPurge(tx, 'acme'))).toBe(true);
    expect(await change((tx) => endPurge(tx, 'acme'))).toBe(false);
    expect([await details(), await work()]).toEqual([undefined, []]);
  });

  it('and a restoration at the same time: one of them wins', async () => {
    for (let round = 0; round < 20; round += 1) {
      await remove(0);
      const [begun, restored] = await Promise.all([purge('due'), restore()]);
      const outcome = [begun !== undefined, restored];
      expect([
        [true, 'purging'],
        [false, 'restored'],
      ]).toContainEqual(outcome);
      await sql.query('DELETE FROM tenants');
      await registry.add({ id: 'acme', database: null }, ['acme.example']);
    }
  });

  it('and changes of hosts and suspensions at the same time do not wait in a circle', async () => {
    for (let round = 0; round < 20; round += 1) {
      const outcomes = await Promise.allSettled([
        remove(0),
        registry.setSuspension('acme', 'unpaid'),
        registry.addHosts({ id: 'acme', database: null }, [`h${round}.example`]),
        registry.setReadOnlyReason('acme', 'TRANSFER_IMPORT_IN_PROGRESS'),
        registry.removeHost('acme', `h${round - 1}.example`),
        restore(),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(Array(6).fill('fulfilled'));
    }
  });
});

describe('selectTenantPage', () => {
  it('lists sites in the order of their ids, page by page, also those of one state', async () => {
    await registry.add({ id: 'initech', database: null }, []);
    await remove();
    const first = await selectTenantPage(sql, { limit: 2 });
    expect(first.items.map(({ id }) => id)).toEqual(['acme', 'globex']);
    const second = await selectTenantPage(sql, { limit: 2, cursor: first.nextCursor });
    expect([second.items.map(({ id }) => id), second.nextCursor]).toEqual([['initech'], undefined]);
    const active = await selectTenantPage(sql, { limit: 2, state: 'active' });
    expect(active.items.map(({ id }) => id)).toEqual(['globex', 'initech']);
    const deleted = await selectTenantPage(sql, { limit: 2, state: 'pending-deletion' });
    expect(deleted.items.map(({ id }) => id)).toEqual(['acme']);
    const foreign = selectTenantPage(sql, { limit: 2, state: 'active', cursor: first.nextCursor });
    await expect(foreign).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
  });
});
