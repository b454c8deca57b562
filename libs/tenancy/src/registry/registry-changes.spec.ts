import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TransactionalDatabase } from '@quire/database';
import { testStores } from '@quire/testing';
import { openTestRegistry, type TestRegistry } from './registry.fixture.js';
import { TenantRegistry } from './tenant-registry.js';

let test: TestRegistry;
let sql: TransactionalDatabase;
let registry: TenantRegistry;

beforeAll(async () => {
  test = await openTestRegistry(testStores().databaseUrl, 'spec_registry_changes');
  ({ sql } = test);
});
beforeEach(() => {
  registry = new TenantRegistry(sql);
});
afterEach(() => sql.query('DELETE FROM tenants'));
afterAll(() => test.close());

describe('a change of TenantRegistry', () => {
  it('replaces the hosts of a tenant, or none of them', async () => {
    const tenant = { id: 'a', database: null };
    await registry.add(tenant, ['a.example', 'b.example']);
    await registry.add({ id: 'b', database: null }, ['taken.example']);
    await registry.setHosts(tenant, ['B.example', 'c.example']);
    expect((await registry.hostsOf('a')).sort()).toEqual(['b.example', 'c.example']);
    await expect(registry.setHosts(tenant, ['taken.example'])).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await registry.hostsOf('a')).sort()).toEqual(['b.example', 'c.example']);
  });

  it('makes a change and what belongs to it in one transaction', async () => {
    const tenant = { id: 'a', database: null };
    const fails = () => Promise.reject(new Error('no log'));
    await expect(registry.add(tenant, ['a.example'], fails)).rejects.toThrow('no log');
    expect(await registry.byId('a')).toBeUndefined();
    await registry.add(tenant, ['a.example']);
    await expect(registry.addHosts(tenant, ['b.example'], fails)).rejects.toThrow('no log');
    await expect(registry.setHosts(tenant, ['b.example'], fails)).rejects.toThrow('no log');
    await expect(registry.removeHost('a', 'a.example', fails)).rejects.toThrow('no log');
    await expect(registry.setSuspension('a', 'unpaid', fails)).rejects.toThrow('no log');
    expect(await new TenantRegistry(sql).hostsOf('a')).toEqual(['a.example']);
    expect(await new TenantRegistry(sql).isSuspended('a')).toBe(false);
  });
});
