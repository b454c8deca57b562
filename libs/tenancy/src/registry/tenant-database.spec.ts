import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { TransactionalDatabase } from '@quire/database';
import { testStores } from '@quire/testing';
import { openTestRegistry, type TestRegistry } from './registry.fixture.js';
import { selectTenantDatabase, updateTenantDatabase, updateTenantMove } from './tenant-database.js';
import { TenantRegistry } from './tenant-registry.js';

let test: TestRegistry;
let sql: TransactionalDatabase;
let registry: TenantRegistry;

beforeAll(async () => {
  test = await openTestRegistry(testStores().databaseUrl, 'spec_tenant_database');
  ({ sql } = test);
});
beforeEach(async () => {
  await sql.query('DELETE FROM tenants');
  registry = new TenantRegistry(sql);
  await registry.add({ id: 'a', database: null }, ['a.example']);
});
afterAll(() => test.close());

describe('updateTenantMove', () => {
  it('makes a site move in every process that reads the registry again, until it ends or expires', async () => {
    const begin = async (seconds: number) => {
      await updateTenantMove(sql, 'a', seconds);
      registry.drop();
      return registry.isMoving('a');
    };
    expect([await registry.isMoving('a'), await begin(30), await registry.isMoving('b')]).toEqual([
      false,
      true,
      false,
    ]);
    const later = Date.now() + 31_000;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => later);
    expect(await registry.isMoving('a')).toBe(false);
    clock.mockRestore();
    expect([await begin(30), await begin(0)]).toEqual([true, false]);
  });
});

describe('updateTenantDatabase', () => {
  it('changes the database of a site that is where it was, and ends its move', async () => {
    await updateTenantMove(sql, 'a', 30);
    expect(await updateTenantDatabase(sql, { id: 'a', from: 'EU1', to: 'EU2' })).toBe(false);
    expect(await updateTenantDatabase(sql, { id: 'a', from: null, to: 'EU2' })).toBe(true);
    registry.drop();
    expect([await registry.isMoving('a'), await registry.byId('a')]).toEqual([
      false,
      { id: 'a', database: 'EU2' },
    ]);
    expect(await selectTenantDatabase(sql, 'a')).toEqual({ database: 'EU2', readOnlyReason: null });
    expect(await selectTenantDatabase(sql, 'b')).toBeUndefined();
  });

  it('leaves a site that has become read-only', async () => {
    await registry.setReadOnlyReason('a', 'TRANSFER_IMPORT_IN_PROGRESS');
    expect(await updateTenantDatabase(sql, { id: 'a', from: null, to: 'EU2' })).toBe(false);
  });
});
