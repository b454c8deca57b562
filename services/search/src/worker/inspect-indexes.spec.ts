import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Queryable } from '@quire/database';
import { SearchEngineUnavailable } from '@quire/search-engine';
import { enqueueReconciliations, reconcileTasks } from '../tasks/index.js';
import { inspectIndexes } from './inspect-indexes.js';
import { openSearchSite, type SearchSite } from './search-site.fixture.js';

const tenantId = 'spec-of-inspections';
const daySeconds = 86_400;
let site: SearchSite;
/** States that the engine reports, by collection. */
let engineStates: Record<string, string>;

beforeAll(async () => {
  site = await openSearchSite(tenantId);
});
beforeEach(async () => {
  await site.reset();
  engineStates = { c1: 'one', c2: 'two' };
  await addCollections('c1', 'c2');
  await inspect();
  await postpone();
});
afterAll(() => site.close());

/** Adds the tasks of searchable collections. */
const addCollections = (...ids: string[]) =>
  enqueueReconciliations(site.ctx.db, site.ctx.principal.tenant, ids);
const postpone = () =>
  site.ctx.db.query('UPDATE cms_search.search_tasks SET due_at = now() + $2::interval WHERE tenant_id = $1', [
    tenantId,
    `${daySeconds} seconds`,
  ]);
const statesOf = {
  of: (tenant: string, id: string) => (tenant === tenantId ? (engineStates[id] ?? '') : ''),
};
const inspect = (sql: Queryable = site.ctx.db) =>
  inspectIndexes(sql, { indexStates: () => Promise.resolve(statesOf) });
const due = async () =>
  (await site.tasks()).filter(({ inSeconds }) => inSeconds <= 0).map(({ collection }) => collection);

describe('an inspection of the indexes', () => {
  it('requests nothing while no state differs, with as many statements for many collections', async () => {
    const statements: unknown[] = [];
    const counted: Queryable = {
      query: (statement, values) => {
        statements.push(statement);
        return site.ctx.db.query(statement, values);
      },
    };
    expect(await inspectIndexes(counted, site.deps)).toBe(2);
    await postpone();
    statements.length = 0;
    expect(await inspectIndexes(counted, site.deps)).toBe(0);
    expect(statements).toHaveLength(2);
    await addCollections(...Array.from({ length: 30 }, (_, index) => `more-${index}`));
    await inspectIndexes(counted, site.deps);
    await postpone();
    statements.length = 0;
    expect(await inspectIndexes(counted, site.deps)).toBe(0);
    expect(statements).toHaveLength(2);
    expect(site.content.calls).toEqual([]);
    expect(await due()).toEqual([]);
  });

  it.each([
    ['has changed', () => void (engineStates.c1 = 'changed')],
    ['is lost', () => void (engineStates.c1 = '')],
  ])('requests the reconciliation of a collection whose index %s, once', async (_name, change) => {
    change();
    expect(await inspect()).toBe(1);
    expect(await due()).toEqual(['c1']);
    await postpone();
    expect(await inspect()).toBe(0);
  });

  it('requests all reconciliations after a replacement of the engine', async () => {
    engineStates = {};
    await inspect();
    expect(await due()).toEqual(['c1', 'c2']);
  });

  it('requests all reconciliations after an update to another format of indexes', async () => {
    await site.ctx.db.query(
      "UPDATE cms_search.search_tasks SET index_state = regexp_replace(index_state, '^\\d+', '1') WHERE tenant_id = $1",
      [tenantId],
    );
    await inspect();
    expect(await due()).toEqual(['c1', 'c2']);
  });

  it('requests a reconciliation that runs when it has ended, if the state still differs', async () => {
    await addCollections('c1');
    const [claimed] = await reconcileTasks.claim(site.ctx.db, 1);
    engineStates.c1 = 'changed';
    expect(await inspect()).toBe(0);
    if (claimed)
      await reconcileTasks.reschedule(site.ctx.db, claimed, { attempts: 0, afterSeconds: daySeconds });
    expect(await due()).toEqual([]);
    expect(await inspect()).toBe(1);
    expect(await due()).toEqual(['c1']);
  });

  it('changes nothing while the engine is unavailable', async () => {
    const before = await site.tasks();
    const indexStates = () => Promise.reject(new SearchEngineUnavailable(new Error('down')));
    await expect(inspectIndexes(site.ctx.db, { indexStates })).rejects.toThrow(SearchEngineUnavailable);
    expect((await site.tasks()).map(({ state }) => state)).toEqual(before.map(({ state }) => state));
  });
});
