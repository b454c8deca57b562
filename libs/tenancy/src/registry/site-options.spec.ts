import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { TransactionalDatabase } from '@quire/database';
import { eventually, testStores } from '@quire/testing';
import { openTestRegistry, type TestRegistry } from './registry.fixture.js';
import { lockSiteOptions, updateSiteOptions } from './site-options.js';
import { selectTenantDetails } from './tenant-details.js';
import { TenantRegistry } from './tenant-registry.js';

let test: TestRegistry;
let sql: TransactionalDatabase;
let registry: TenantRegistry;

beforeAll(async () => {
  test = await openTestRegistry(testStores().databaseUrl, 'spec_site_options');
  ({ sql } = test);
});
afterAll(() => test.close());

afterEach(() => void jest.restoreAllMocks());

describe('settings and limits of a tenant', () => {
  const settings = { defaultLocale: 'de' };
  const limits = { entries: 5 };
  beforeEach(async () => {
    await sql.query('DELETE FROM tenants');
    registry = new TenantRegistry(sql);
    await registry.add({ id: 'a', database: null, settings, limits, plan: 'small' }, ['a.example']);
    await registry.add({ id: 'b', database: null }, ['b.example']);
  });

  it('are read with it; a tenant without any has none', async () => {
    expect(await registry.byHost('a.example')).toEqual({ id: 'a', database: null, settings, limits });
    expect(await registry.byId('b')).toEqual({ id: 'b', database: null });
    expect(await selectTenantDetails(sql)).toMatchObject([
      { id: 'a', settings, limits, plan: 'small' },
      { id: 'b', settings: {}, limits: {}, plan: null },
    ]);
  });

  it('are another object only for a tenant that has changed', async () => {
    const before = await Promise.all(['a', 'b'].map((id) => registry.byId(id)));
    await sql.transaction(async (tx) => {
      expect(await lockSiteOptions(tx, 'a')).toEqual({ settings, limits, plan: 'small' });
      await updateSiteOptions(tx, 'a', { settings: {}, limits, plan: null });
    });
    registry.drop();
    const after = await Promise.all(['a', 'b'].map((id) => registry.byId(id)));
    expect(after).toEqual([
      { id: 'a', database: null, limits },
      { id: 'b', database: null },
    ]);
    expect(after.map((tenant, index) => tenant === before[index])).toEqual([false, true]);
  });

  it('change the version, so that a process without the message reads them within a minute', async () => {
    await registry.byId('a');
    await sql.query(`UPDATE tenants SET limits = '{"entries": 6}' WHERE id = 'a'`);
    const later = Date.now() + 60_000;
    jest.spyOn(Date, 'now').mockImplementation(() => later);
    expect(
      await eventually(
        () => registry.byId('a'),
        (tenant) => tenant?.limits?.entries === 6,
      ),
    ).toBeDefined();
  });

  it('are none of a tenant that is missing', async () => {
    expect(await sql.transaction((tx) => lockSiteOptions(tx, 'missing'))).toBeUndefined();
  });
});
