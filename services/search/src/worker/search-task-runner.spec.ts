import 'reflect-metadata';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@quire/observability';
import { eventually, eventuallyPasses } from '@quire/testing';
import { enqueueReconciliations, searchTasks } from '../tasks/index.js';
import { secondsUntilDailyCheck } from './daily-check.js';
import { openSearchSite, type SearchSite } from './search-site.fixture.js';
import { searchTaskRunner } from './search-task-runner.js';

const tenantId = 'spec-of-search-tasks';
const logger = createLogger({ level: 'silent', targets: ['spec'] });
const slugs = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'];
let site: SearchSite;
let runner: ReturnType<typeof searchTaskRunner>;

beforeAll(async () => {
  site = await openSearchSite(tenantId);
});
beforeEach(async () => {
  await site.reset();
  runner = searchTaskRunner({
    databases: [site.ctx.db],
    searchDeps: site.deps,
    contextOf: () => Promise.resolve(site.ctx),
    logger,
  });
});
afterEach(() => runner.stop());
afterAll(() => site.close());

const reconcile = (...collectionIds: string[]) =>
  enqueueReconciliations(site.ctx.db, site.ctx.principal.tenant, collectionIds);
const indexEntries = (...entryIds: string[]) =>
  searchTasks.enqueue(
    site.ctx.db,
    entryIds.map((entryId) => ({ tenantId, collectionId: 'c1', task: 'index' as const, entryId })),
  );

const generation = async () => {
  const [row] = await site.ctx.db.query<{ live: number | null }>(
    'SELECT live_generation AS live FROM search_collections',
  );
  return row?.live ?? null;
};
/** Builds the index of a collection. The build leaves a task that is due in some seconds. */
async function build(collectionId: string): Promise<void> {
  await site.enable(collectionId);
  await reconcile(collectionId);
  runner.start();
  expect(await eventually(generation)).toBe(1);
}

describe('the runner of search tasks', () => {
  it('indexes entries while reconciliations take all their turns, of which there are four', async () => {
    await site.enable(...slugs);
    const releases: (() => void)[] = [];
    site.content.beforeCollection = () => new Promise((resolve) => releases.push(resolve));
    await reconcile(...slugs);
    runner.start();
    await eventually(() => Promise.resolve(releases.length >= 4));
    await indexEntries('e1', 'e2');
    const left = await eventually(
      async () => (await site.tasks()).filter(({ task }) => task === 'index'),
      ({ length }) => length === 0,
    );
    expect(left).toEqual([]);
    expect(releases).toHaveLength(4);
    site.content.beforeCollection = () => Promise.resolve();
    for (const release of releases) release();
    const unbuilt = () => site.ctx.db.query('SELECT 1 FROM search_collections WHERE live_generation IS NULL');
    expect(await eventually(unbuilt, ({ length }) => length === 0)).toEqual([]);
  });

  it('checks a consistent index again at its time of the day', async () => {
    await build('c1');
    await site.makeDue();
    const expected = secondsUntilDailyCheck({ tenantId, collectionId: 'c1' }, new Date());
    const day = 86_400;
    /** Seconds from the expected time, the shorter way around the clock. */
    const difference = (inSeconds: number) => Math.abs(((inSeconds - expected + 1.5 * day) % day) - day / 2);
    await eventuallyPasses(
      () => site.tasks(),
      (tasks) => {
        expect(tasks).toMatchObject([{ task: 'reconcile', attempts: 0 }]);
        expect(difference(tasks[0]?.inSeconds ?? 0)).toBeLessThan(60);
      },
    );
  });

  it('repeats a check after five minutes that finds a difference, and rebuilds the index if it remains', async () => {
    await build('c1');
    site.content.entries = 2;
    await site.makeDue();
    await eventuallyPasses(
      () => site.tasks(),
      (tasks) => {
        expect(tasks).toMatchObject([{ attempts: 1 }]);
        expect(tasks[0]?.inSeconds).toBeGreaterThan(200);
        expect(tasks[0]?.inSeconds).toBeLessThanOrEqual(300);
      },
    );
    expect(await generation()).toBe(1);
    await site.makeDue();
    expect(await eventually(generation, (live) => live === 2)).toBe(2);
  });
});
