import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TransactionalDatabase } from '@quire/database';
import { testStores } from '@quire/testing';
import { beginPurge, endPurge } from './deletions.js';
import { recordOperatorAction, selectOperatorActionPage } from './operator-actions.js';
import { openTestRegistry, type TestRegistry } from './registry.fixture.js';
import { presentIdOf, renameTenant, storageIdOf } from './renames.js';
import { findTenantDetails, selectTenantPage } from './tenant-details.js';
import { TenantRegistry } from './tenant-registry.js';

let test: TestRegistry;
let sql: TransactionalDatabase;
let registry: TenantRegistry;
beforeAll(async () => {
  test = await openTestRegistry(testStores().databaseUrl, 'spec_renames');
  ({ sql } = test);
});
afterAll(() => test.close());
beforeEach(async () => {
  registry = new TenantRegistry(sql);
  for (const id of ['acme', 'umbrella']) await registry.add({ id, database: null }, [`${id}.example`]);
});
afterEach(() => sql.query('DELETE FROM tenants'));

const rename = (id: string, to: string) => sql.transaction((tx) => renameTenant(tx, id, to));
const ids = async (id: string) => {
  const found = await findTenantDetails(sql, id);
  return found && [found.id, found.storageId];
};
const conflict = { code: 'CONFLICT' };

describe('renameTenant', () => {
  it('gives a site another id, and keeps its storage id, its hosts and the ids that it had', async () => {
    expect(await rename('acme', 'globex')).toEqual({ from: 'acme', isNew: true });
    expect(await rename('globex', 'initech')).toEqual({ from: 'globex', isNew: true });
    for (const id of ['acme', 'globex', 'initech']) {
      expect([id, await ids(id), await storageIdOf(sql, id)]).toEqual([id, ['initech', 'acme'], 'acme']);
    }
    expect(await presentIdOf(sql, 'acme')).toBe('initech');
    registry.drop();
    expect(await registry.byHost('acme.example')).toEqual({ id: 'acme', database: null });
  });

  it('changes nothing when it is repeated, also by a former id', async () => {
    await rename('acme', 'globex');
    for (const id of ['acme', 'globex'])
      expect(await rename(id, 'globex')).toEqual({ from: 'globex', isNew: false });
  });

  it('may give an id back that the site had', async () => {
    for (const to of ['globex', 'acme', 'globex', 'initech', 'acme']) await rename('acme', to);
    expect(await ids('globex')).toEqual(['acme', 'acme']);
  });

  it('refuses an id that another site has or had, that is invalid or special, and an unknown site', async () => {
    await rename('acme', 'globex');
    await rename('globex', 'initech');
    await rename('umbrella', 'hooli');
    for (const taken of ['acme', 'globex', 'initech', 'default'])
      await expect(rename('hooli', taken)).rejects.toMatchObject(conflict);
    for (const invalid of ['Acme', '', 'a'.repeat(41), '1st', 'a_b'])
      await expect(rename('hooli', invalid)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await rename('unknown', 'other')).toBeUndefined();
    expect(await ids('hooli')).toEqual(['hooli', 'umbrella']);
  });

  it('gives the id once to concurrent calls', async () => {
    const results = await Promise.allSettled([rename('acme', 'globex'), rename('umbrella', 'globex')]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('reserves the ids of the site until its purge, also for processes that know of no rename', async () => {
    await rename('acme', 'globex');
    await rename('globex', 'initech');
    for (const id of ['acme', 'globex', 'initech']) {
      await expect(registry.add({ id, database: null }, [])).rejects.toMatchObject(conflict);
      await expect(sql.query('INSERT INTO tenants (id) VALUES ($1)', [id])).rejects.toMatchObject({
        code: '23505',
      });
    }
    await sql.transaction((tx) => beginPurge(tx, 'acme', 'any'));
    expect(await rename('initech', 'other')).toBeUndefined();
    await sql.transaction((tx) => endPurge(tx, 'acme'));
    await registry.add({ id: 'globex', database: null }, []);
    expect(await ids('globex')).toEqual(['globex', 'globex']);
  });
});

describe('renamed sites', () => {
  it('are listed in the order of their present ids', async () => {
    await rename('acme', 'zorg');
    const first = await selectTenantPage(sql, { limit: 1 });
    const second = await selectTenantPage(sql, { limit: 1, cursor: first.nextCursor });
    expect([first, second].map(({ items }) => items.map(({ id }) => id))).toEqual([['umbrella'], ['zorg']]);
    expect(second.nextCursor).toBeUndefined();
  });

  it('have the log of all their ids', async () => {
    const action = { actor: 'cli:spec', action: 'tenant suspend', detail: {}, count: 1 };
    await rename('acme', 'globex');
    for (const target of ['acme', 'globex', 'umbrella'])
      await recordOperatorAction(sql, { ...action, target });
    for (const target of ['acme', 'globex']) {
      const { items } = await selectOperatorActionPage(sql, { target, limit: 10 });
      expect(items.map((each) => each.target)).toEqual(['globex', 'acme']);
    }
    const { items } = await selectOperatorActionPage(sql, { target: 'umbrella', limit: 10 });
    expect(items).toHaveLength(1);
  });
});
