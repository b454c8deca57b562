import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  eventuallyPasses,
  loadMeilisearch,
  openRowLock,
  statusAndCode,
  testMeilisearch,
  type Client,
  type Site,
} from '@quire/testing';
import {
  closeEnvironments,
  sendUntilAvailable,
  TestEnvironment,
  waitUntil,
  type TestEnvironmentOptions,
} from './support.js';

let testEnvironment: TestEnvironment;
let site: Site;
let admin: Client;

/** Opens a system for the tests of a block, with a new site for each test. */
function usePostsEnvironment(options: TestEnvironmentOptions): void {
  beforeAll(async () => void (testEnvironment = await TestEnvironment.open(options)));
  beforeEach(openPosts);
  afterAll(closeEnvironments);
}

/** Opens a system for one test, whose processes the test starts and kills. */
async function openEnvironment(options: TestEnvironmentOptions): Promise<void> {
  testEnvironment = await TestEnvironment.open(options);
  await openPosts();
}

async function openPosts(): Promise<void> {
  site = await testEnvironment.openSite();
  admin = await site.as('admin');
  await sendUntilAvailable(() => admin.post('/schema/collections', { slug: 'posts', label: 'Posts' }));
  const title = { slug: 'title', label: 'Title', type: 'string', searchable: true };
  await sendUntilAvailable(() => admin.post('/schema/collections/posts/fields', title));
}

const enable = () =>
  sendUntilAvailable(() => admin.post('/search/enable', { collection: 'posts', enabled: true }));
const search = (q: string) => admin.get(`/search?q=${encodeURIComponent(q)}&limit=100`);

async function publish(title: string): Promise<string> {
  const created = await sendUntilAvailable(() => admin.post('/content/posts', { data: { title } }));
  const { id } = created.data.item as { id: string };
  await sendUntilAvailable(() => admin.post(`/content/posts/${id}/publish`));
  return id;
}

/** Inserts published entries by a statement. */
const fill = (count: number) =>
  site.sql(
    `INSERT INTO content_posts (id, slug, status, title, _locale, _translation_group, published_at)
     SELECT 'entry-' || lpad(n::text, 6, '0'), 'entry-' || n, 'published', 'Filler ' || n, 'en', 'group-' || n, now()
     FROM generate_series(1, $1::integer) AS n`,
    [count],
  );

/** The sorted titles of the hits; empty unless the status is 200. */
async function titles(q: string): Promise<string[]> {
  const { status, data } = await search(q);
  return status === 200 ? data.items.map(({ title }: { title: string }) => title).sort() : [];
}

const waitUntilTitles = (q: string, expected: readonly string[]) =>
  eventuallyPasses(
    () => titles(q),
    (found) => expect(found).toEqual(expected),
    90_000,
  );

const waitUntilFound = (q: string, count: number) =>
  waitUntil(`${count} found for ${q}`, async () => (await titles(q)).length === count, 60_000);

/** Makes the reconciliation of indexes due now. */
const triggerReconcile = () =>
  testEnvironment.sql.query("UPDATE cms_search.search_tasks SET due_at = now() WHERE task = 'reconcile'");

const liveGeneration = async () => {
  const rows = await site.sql<{ live: number | null }>(
    'SELECT live_generation AS live FROM search_collections',
  );
  return rows[0]?.live ?? 0;
};

/** Waits until the index is rebuilt, without a search and with no other request for it than an inspection. */
async function waitUntilInspectionRebuilds(lose: () => Promise<unknown>): Promise<void> {
  const inspect = () =>
    testEnvironment.sql.query('UPDATE cms_search.index_inspections SET due_at = now() WHERE due_at > now()');
  const isInspected = async () => {
    await inspect();
    const [task] = await site.sql<{ state: string | null }>(
      "SELECT index_state AS state FROM cms_search.search_tasks WHERE tenant_id = $1 AND task = 'reconcile'",
      [site.tenant],
    );
    return task?.state != null;
  };
  await waitUntil('the index is inspected', isInspected);
  await testEnvironment.sql.query(
    "UPDATE cms_search.search_tasks SET due_at = now() + interval '1 day', attempts = 0 WHERE task = 'reconcile'",
  );
  const before = await liveGeneration();
  await lose();
  await waitUntil(
    'the index is rebuilt',
    async () => {
      await inspect();
      return (await liveGeneration()) > before;
    },
    60_000,
  );
}

/** Deletes the indexes of the site on the Meilisearch server. */
async function deleteOnMeilisearch(): Promise<void> {
  const { url, masterKey } = testMeilisearch();
  const headers = { authorization: `Bearer ${masterKey}` };
  const response = await fetch(`${url}/indexes?limit=10000`, { headers });
  const { results } = (await response.json()) as { results: { uid: string }[] };
  const own = results.filter(({ uid }) => uid.includes(`-${site.tenant}-`));
  for (const { uid } of own) await fetch(`${url}/indexes/${uid}`, { method: 'DELETE', headers });
}

/** Id of the last entry that the current build has indexed. */
async function progress(): Promise<string | null | undefined> {
  const rows = await site.sql<{ after: string | null }>(
    'SELECT max(after_id) AS after FROM search_generations',
  );
  return rows[0]?.after;
}

/** Names of the index tables of the site. */
const indexTables = async () => {
  const rows = await site.sql<{ name: string }>(
    "SELECT relname AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = current_schema() AND relkind = 'r' AND relname LIKE 'search_index_%'",
  );
  return rows.map(({ name }) => name);
};

describe('search on Meilisearch', () => {
  usePostsEnvironment({ arrangement: 'single', onMeilisearch: true });

  it.each(['disconnect', 'stall'] as const)(
    'returns 503 only for the search during an outage (%s) and finds entries written during it afterwards',
    async (fault) => {
      const before = await publish('Before the outage');
      await enable();
      await waitUntilFound('outage', 1);
      await testEnvironment.meilisearch[fault]();
      await publish('During the outage');
      await sendUntilAvailable(() => admin.post(`/content/posts/${before}/unpublish`));
      const response = await search('outage');
      expect(statusAndCode(response)).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(statusAndCode(await admin.post('/search/rebuild', { collection: 'posts' }))).toEqual([
        503,
        'SERVICE_UNAVAILABLE',
      ]);
      await testEnvironment.meilisearch.restore();
      await waitUntilTitles('outage', ['During the outage']);
    },
    150_000,
  );

  it('rebuilds an index that the server has lost without a search of it', async () => {
    await publish('One to find');
    await enable();
    await waitUntilFound('find', 1);
    await waitUntilInspectionRebuilds(deleteOnMeilisearch);
    await waitUntilTitles('find', ['One to find']);
  });

  it('delays a build while the server does not respond for some seconds', async () => {
    await fill(3000);
    const enabling = admin.post('/search/enable', { collection: 'posts', enabled: true });
    await waitUntil('the build is in progress', progress);
    await testEnvironment.meilisearch.stall();
    await wait(6_000);
    await testEnvironment.meilisearch.restore();
    const { status, data } = await enabling;
    expect([status, data]).toMatchObject([200, { indexed: 3000 }]);
  });

  it('serves the current index while the server has a backlog', async () => {
    await publish('Before the rush');
    await enable();
    await waitUntilTitles('rush', ['Before the rush']);
    const release = await loadMeilisearch(testMeilisearch());
    try {
      await publish('Amid the rush');
      expect(await titles('rush')).toEqual(['Before the rush']);
    } finally {
      await release();
    }
    await waitUntilTitles('rush', ['Amid the rush', 'Before the rush']);
  });
});

describe('search on PostgreSQL', () => {
  usePostsEnvironment({ arrangement: 'single' });

  it('returns 503, never fewer hits, for a lost index until it is rebuilt automatically', async () => {
    await publish('One to find');
    await enable();
    await waitUntilFound('find', 1);
    for (const table of await indexTables()) await site.sql(`DROP TABLE "${table}"`);
    const responses: (string | number)[] = [];
    await waitUntil('found again', async () => {
      const { status, data, error } = await search('find');
      responses.push(status === 503 ? error.code : data.items.length);
      return status === 200;
    });
    expect([responses[0], responses.at(-1)]).toEqual(['SERVICE_UNAVAILABLE', 1]);
    expect(responses).not.toContain(0);
  });

  it('rebuilds a lost index without a search of it', async () => {
    await publish('One to find');
    await enable();
    await waitUntilFound('find', 1);
    await waitUntilInspectionRebuilds(async () => {
      for (const table of await indexTables()) await site.sql(`DROP TABLE "${table}"`);
    });
    expect(await titles('find')).toEqual(['One to find']);
  });

  it('returns 503 for an emptied index, once detected, until it is rebuilt', async () => {
    await fill(3000);
    await enable();
    await waitUntil('one index is left', async () => (await indexTables()).length === 1);
    // The lock prevents a rebuild.
    const rowLock = await openRowLock(site);
    await rowLock.acquire('LOCK TABLE search_generations IN SHARE MODE');
    for (const table of await indexTables()) await site.sql(`TRUNCATE "${table}"`);
    const find = async () => {
      await triggerReconcile();
      return search('"filler 2999"');
    };
    try {
      await waitUntil('503', async () => (await find()).status === 503);
    } finally {
      await rowLock.release();
      await rowLock.close();
    }
    await waitUntil('found again', async () => {
      const { status, data } = await find();
      return status === 200 && data.items.length === 1;
    });
  });

  it('rebuilds an incomplete index without an outage', async () => {
    for (const title of ['Lost one', 'Remaining one', 'Remaining two']) await publish(title);
    await enable();
    await waitUntilFound('one', 2);
    for (const table of await indexTables())
      await site.sql(`DELETE FROM "${table}" WHERE title = 'Lost one'`);
    const responses: number[] = [];
    await waitUntil('found again', async () => {
      await triggerReconcile();
      const { status, data } = await search('one');
      responses.push(status);
      return status === 200 && data.items.length === 2;
    });
    expect(new Set(responses)).toEqual(new Set([200]));
    await waitUntil('one index is left', async () => (await indexTables()).length === 1);
  });
});

describe('search on PostgreSQL with workers that start and stop', () => {
  afterEach(closeEnvironments);

  it('indexes a backlog of the queue when workers start', async () => {
    await openEnvironment({ arrangement: 'no-workers' });
    await publish('Early bird');
    await enable();
    await Promise.all(Array.from({ length: 100 }, (_, index) => publish(`Late bird ${index}`)));
    // Searches use the current index.
    expect(await titles('bird')).toEqual(['Early bird']);
    await testEnvironment.control('/workers/start');
    await testEnvironment.control('/workers/start');
    await waitUntilFound('late', 100);
  });

  it('completes a build of a killed worker and deletes its leftovers', async () => {
    await openEnvironment({ arrangement: 'no-workers' });
    await enable();
    await fill(3000);
    // A new searchable field makes the worker rebuild the index.
    const note = { slug: 'note', label: 'Note', type: 'text', searchable: true };
    await sendUntilAvailable(() => admin.post('/schema/collections/posts/fields', note));
    const { pid } = await testEnvironment.control<{ pid: number }>('/workers/start');
    await waitUntil('the build is in progress', progress);
    process.kill(pid, 'SIGKILL');
    await testEnvironment.control('/workers/start');
    await waitUntil(
      'everything is found',
      async () => {
        const { data } = await admin.get('/search/stats');
        return data?.collections.posts.indexed === 3000 && (await indexTables()).length === 1;
      },
      90_000,
    );
    expect((await search('"filler 2999"')).data.items).toHaveLength(1);
  });

  it('indexes exactly the published entries after concurrent rebuilds and changes', async () => {
    await openEnvironment({ arrangement: 'many-workers' });
    await enable();
    const ids = await Promise.all(Array.from({ length: 20 }, (_, index) => publish(`Remaining ${index}`)));
    const rebuild = () => sendUntilAvailable(() => admin.post('/search/rebuild', { collection: 'posts' }));
    await Promise.all([
      rebuild(),
      rebuild(),
      ...ids.slice(0, 10).map((id) => sendUntilAvailable(() => admin.delete(`/content/posts/${id}`))),
      ...Array.from({ length: 5 }, (_, index) => publish(`Remaining later ${index}`)),
      rebuild(),
    ]);
    await waitUntilFound('remaining', 15);
    await waitUntil('one index is left', async () => (await indexTables()).length === 1, 90_000);
  });
});
