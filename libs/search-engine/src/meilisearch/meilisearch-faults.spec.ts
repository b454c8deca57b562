import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Queryable, TransactionalDatabase } from '@quire/database';
import { loadMeilisearch, createTcpProxy, testMeilisearch, testStores, type TcpProxy } from '@quire/testing';
import { ulid } from '@quire/values';
import { Meilisearch } from 'meilisearch';
import { indexOf, newDocument, openSites, titlesOf, type Sites } from '../conformance/fixtures.js';
import { usesOf } from '../conformance/uses.js';
import type { SearchSite, SiteIndexes } from '../port/search-engine.js';
import type { SearchIndex } from '../port/search-index.js';
import { SearchEngineUnavailable, SearchIndexMissing } from '../port/search-engine-errors.js';
import { IndexUids } from './meili-access.js';
import { meilisearchEngine } from './meilisearch-engine.js';

// A busy machine may be slow.
jest.setTimeout(180_000);

const namespace = `faults_${randomUUID().slice(0, 8)}`;
const timeoutMs = 2_000;

/** The site with an action before each statement whose text contains this part. */
function interrupted(site: SearchSite, part: string, happens: () => Promise<unknown>): SearchSite {
  const wrap = (sql: Queryable): Queryable => ({
    async query(statement, values) {
      const text = typeof statement === 'string' ? statement : statement.text;
      if (text.includes(part)) await happens();
      return sql.query(statement, values);
    },
  });
  const db: TransactionalDatabase = { ...site.db, ...wrap(site.db) };
  return { ...site, db };
}

describe('the search engine on Meilisearch', () => {
  let proxy: TcpProxy;
  let sites: Sites;
  let site: SearchSite;
  let indexes: SiteIndexes;
  /** A separate client, for operations that the port does not have. */
  let client: Meilisearch;
  const uidOf = (index: { collectionId: string; generation: number }) =>
    new IndexUids(namespace, site.tenantId).of(index);
  const engine = (more: object = {}) =>
    meilisearchEngine({ ...testMeilisearch(), url: proxy.url, namespace, timeoutMs, ...more });

  beforeAll(async () => {
    const { url, masterKey } = testMeilisearch();
    proxy = await createTcpProxy(url);
    sites = await openSites(testStores().databaseUrl);
    site = await sites.add();
    indexes = engine().of(site);
    client = new Meilisearch({ host: url, apiKey: masterKey });
  });
  afterAll(async () => {
    await proxy.restore();
    await indexes.dropAll();
    await sites.close();
    await proxy.disconnect();
  });

  // A call that waited without an end would exceed the test's time limit.
  it.each(['disconnect', 'stall'] as const)(
    'fails every call while the server is unreachable (%s), and none afterwards',
    async (how) => {
      const index = await indexOf(indexes, [{ title: 'text' }]);
      await proxy[how]();
      const results = await Promise.allSettled(usesOf(indexes, index).map(([, run]) => run()));
      for (const result of results)
        expect(result).toMatchObject({ status: 'rejected', reason: expect.any(SearchEngineUnavailable) });
      await expect(engine().ping()).rejects.toThrow(SearchEngineUnavailable);
      await expect(engine().readStates(site.db)).rejects.toThrow(SearchEngineUnavailable);
      await proxy.restore();
      for (const [, run] of usesOf(indexes, index)) await run();
    },
  );

  it('is unavailable with an unknown key, and does not expose the key', async () => {
    const failure = await engine({ key: 'a wrong one' })
      .ping()
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SearchEngineUnavailable);
    expect(String((failure as Error).cause)).not.toContain('a wrong one');
  });

  it('throws SearchIndexMissing for an index that the server has lost, and does not create it again', async () => {
    const index = await indexOf(indexes, [{ title: 'text' }]);
    expect(await indexes.isIntact(index)).toBe(true);
    await client.deleteIndex(uidOf(index)).waitTask({ timeout: 120_000 });
    await expect(indexes.put(index, [newDocument({ title: 'more' })])).rejects.toThrow(SearchIndexMissing);
    await expect(titlesOf(indexes, 'text', index)).rejects.toThrow(SearchIndexMissing);
    expect(await indexes.isIntact(index)).toBe(false);
    expect(await client.getRawIndex(uidOf(index)).catch(() => 'none')).toBe('none');
  });

  const stateOf = async ({ collectionId }: SearchIndex) =>
    (await engine().readStates(site.db)).of(site.tenantId, collectionId);

  it('is not intact, and has another state, when documents are missing', async () => {
    const index = await indexOf(indexes, [{ title: 'one' }, { title: 'two' }]);
    const state = await stateOf(index);
    const { results } = await client.index(uidOf(index)).getDocuments({ limit: 1 });
    await client.index(uidOf(index)).deleteDocument(String(results[0]?.id)).waitTask({ timeout: 120_000 });
    expect(await indexes.isIntact(index)).toBe(false);
    expect(await stateOf(index)).not.toBe(state);
  });

  it('is intact when a document was rejected because the server was unreachable', async () => {
    const index = await indexOf(indexes, [{ title: 'one' }]);
    const cutting = engine().of(interrupted(site, 'INSERT INTO', () => proxy.disconnect()));
    const document = newDocument({ title: 'two' });
    await expect(cutting.put(index, [document])).rejects.toThrow(SearchEngineUnavailable);
    await proxy.restore();
    expect(await indexes.isIntact(index)).toBe(true);
    expect(await indexes.put(index, [document])).toEqual({ superseded: [] });
    await indexes.settle(index);
    expect(await indexes.count(index, 'published')).toBe(2);
  });

  it('reports a newer version that was put concurrently', async () => {
    const index = await indexOf(indexes, []);
    const older = newDocument({ title: 'older', version: 1 });
    const newer = newDocument({ id: older.id, title: 'newer', version: 2 });
    const late = engine().of(interrupted(site, 'AS sent', () => indexes.put(index, [newer])));
    expect(await late.put(index, [older])).toEqual({ superseded: [older.id] });
    expect(await late.remove(index, [{ id: older.id, version: 2 }])).toEqual({ superseded: [older.id] });
    expect(await indexes.put(index, [newer])).toEqual({ superseded: [] });
    await indexes.settle(index);
    expect(await titlesOf(indexes, 'newer older', index)).toEqual(['newer']);
  });

  it('leaves no index behind when one is dropped while a document is being put', async () => {
    const index = await indexOf(indexes, []);
    const late = engine().of(interrupted(site, 'AS sent', () => indexes.drop(index)));
    await expect(late.put(index, [newDocument({ title: 'late' })])).rejects.toThrow(SearchIndexMissing);
    const { results } = await client.tasks.getTasks({ indexUids: [uidOf(index)], limit: 1 });
    await client.tasks.waitForTask(results[0]?.uid ?? 0, { timeout: 30_000 });
    expect(await client.getRawIndex(uidOf(index)).catch(() => 'none')).toBe('none');
  });

  describe('with pending tasks', () => {
    const document = { id: ulid(), title: 'before' };
    let index: SearchIndex;
    let relieve: () => Promise<void>;

    beforeEach(async () => {
      index = await indexOf(indexes, [document]);
      relieve = await loadMeilisearch(testMeilisearch());
    });
    afterEach(() => relieve());

    it('searches the former state, is intact, and settle times out', async () => {
      await expect(indexes.put(index, [newDocument({ title: 'later' })])).resolves.toEqual({
        superseded: [],
      });
      expect(await indexes.settle(index, { timeoutMs: 100 })).toBe(false);
      expect(await titlesOf(indexes, 'before', index)).toEqual(['before']);
      expect(await titlesOf(indexes, 'later', index)).toEqual([]);
      expect([await indexes.isIntact(index), await indexes.hasFailed(index)]).toEqual([true, false]);
      await relieve();
      await indexes.settle(index);
      expect(await titlesOf(indexes, 'later', index)).toEqual(['later']);
    });

    it('reports the failure of an accepted write, though no document is missing', async () => {
      const state = await stateOf(index);
      await indexes.put(index, [newDocument({ id: document.id, title: 'after', version: 2 })]);
      await client.tasks.cancelTasks({ indexUids: [uidOf(index)] }).waitTask({ timeout: 120_000 });
      await indexes.settle(index);
      expect(await titlesOf(indexes, 'before after', index)).toEqual(['before']);
      expect([await indexes.isIntact(index), await indexes.hasFailed(index)]).toEqual([true, true]);
      expect(await stateOf(index)).not.toBe(state);
    });
  });
});
