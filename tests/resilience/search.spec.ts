import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  loadMeilisearch,
  eventuallyPasses,
  openRowLock,
  statusAndCode,
  testMeilisearch,
  type Client,
  type Site,
} from '@quire/testing';
import { closeEnvironments, done, TestEnvironment, until } from './support/test-environment.js';

let testEnvironment: TestEnvironment;
let site: Site;
let admin: Client;

type TestEnvironmentOptions = Parameters<typeof TestEnvironment.open>[0];

/** A system that the tests of this block share; each has a site of its own. */
function useTestEnvironment(options: TestEnvironmentOptions): void {
  beforeAll(async () => void (testEnvironment = await TestEnvironment.open(options)));
  beforeEach(openPosts);
  afterAll(closeEnvironments);
}

/** A system of a test's own, whose processes it starts and kills. */
async function begin(options: TestEnvironmentOptions): Promise<void> {
  testEnvironment = await TestEnvironment.open(options);
  await openPosts();
}

async function openPosts(): Promise<void> {
  site = await testEnvironment.openSite();
  admin = await site.as('admin');
  await done(() => admin.post('/schema/collections', { slug: 'posts', label: 'Posts' }));
  const title = { slug: 'title', label: 'Title', type: 'string', searchable: true };
  await done(() => admin.post('/schema/collections/posts/fields', title));
}

const enable = () => done(() => admin.post('/search/enable', { collection: 'posts', enabled: true }));
const search = (q: string) => admin.get(`/search?q=${encodeURIComponent(q)}&limit=100`);

async function publish(title: string): Promise<string> {
  const made = await done(() => admin.post('/content/posts', { data: { title } }));
  const { id } = made.data.item as { id: string };
  await done(() => admin.post(`/content/posts/${id}/publish`));
  return id;
}

/** Publishes many by a statement. */
const fill = (count: number) =>
  site.sql(
    `INSERT INTO content_posts (id, slug, status, title, _locale, _translation_group, published_at)
     SELECT 'entry-' || lpad(n::text, 6, '0'), 'entry-' || n, 'published', 'Filler ' || n, 'en', 'group-' || n, now()
     FROM generate_series(1, $1::integer) AS n`,
    [count],
  );

/** The titles of what is found, by title; none while the search answers otherwise. */
async function titles(q: string): Promise<string[]> {
  const { status, data } = await search(q);
  return status === 200 ? data.items.map(({ title }: { title: string }) => title).sort() : [];
}

const waitUntilTitles = (q: string, wanted: readonly string[]) =>
  eventuallyPasses(
    () => titles(q),
    (found) => expect(found).toEqual(wanted),
    90_000,
  );

const waitUntilFound = (q: string, count: number) =>
  until(`${count} found for ${q}`, async () => (await titles(q)).length === count, 60_000);

/** Has the workers look now whether an index is what it should be. */
const haveLooked = () =>
  testEnvironment.sql.query("UPDATE cms_search.search_tasks SET due_at = now() WHERE task = 'reconcile'");

/** How far the build of an index has come. */
async function progress(): Promise<string | null | undefined> {
  const rows = await site.sql<{ after: string | null }>(
    'SELECT max(after_id) AS after FROM search_generations',
  );
  return rows[0]?.after;
}

/** The tables that PostgreSQL keeps the site's indexes in. */
const indexTables = async () => {
  const rows = await site.sql<{ name: string }>(
    "SELECT relname AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = current_schema() AND relkind = 'r' AND relname LIKE 'search_index_%'",
  );
  return rows.map(({ name }) => name);
};

describe('on Meilisearch', () => {
  useTestEnvironment({ arrangement: 'single', onMeilisearch: true });

  it.each(['disconnect', 'stall'] as const)(
    'a server that is gone (%s) is a 503 of the search alone; what was written meanwhile is found when it is back',
    async (how) => {
      const before = await publish('Before the outage');
      await enable();
      await waitUntilFound('outage', 1);
      await testEnvironment.meilisearch[how]();
      await publish('During the outage');
      await done(() => admin.post(`/content/posts/${before}/unpublish`));
      const answer = await search('outage');
      expect(statusAndCode(answer)).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(statusAndCode(await admin.post('/search/rebuild', { collection: 'posts' }))).toEqual([
        503,
        'SERVICE_UNAVAILABLE',
      ]);
      await testEnvironment.meilisearch.restore();
      await waitUntilTitles('outage', ['During the outage']);
    },
    150_000,
  );

  it('a server that does not answer for some seconds delays what is being built, and no more', async () => {
    await fill(3000);
    const enabling = admin.post('/search/enable', { collection: 'posts', enabled: true });
    await until('the build is on its way', progress);
    await testEnvironment.meilisearch.stall();
    await wait(6_000);
    await testEnvironment.meilisearch.restore();
    const { status, data } = await enabling;
    expect([status, data]).toMatchObject([200, { indexed: 3000 }]);
  });

  it('a server that is behind with its work is searched as it is, and finds what comes later', async () => {
    await publish('Before the rush');
    await enable();
    await waitUntilTitles('rush', ['Before the rush']);
    const relieve = await loadMeilisearch(testMeilisearch());
    try {
      await publish('Amid the rush');
      expect(await titles('rush')).toEqual(['Before the rush']);
    } finally {
      await relieve();
    }
    await waitUntilTitles('rush', ['Amid the rush', 'Before the rush']);
  });
});

describe('on PostgreSQL', () => {
  useTestEnvironment({ arrangement: 'single' });

  it('an index that is lost is a 503, never fewer hits, and is built anew by itself', async () => {
    await publish('One to find');
    await enable();
    await waitUntilFound('find', 1);
    for (const table of await indexTables()) await site.sql(`DROP TABLE "${table}"`);
    const answers: (string | number)[] = [];
    await until('found again', async () => {
      const { status, data, error } = await search('find');
      answers.push(status === 503 ? error.code : data.items.length);
      return status === 200;
    });
    expect([answers[0], answers.at(-1)]).toEqual(['SERVICE_UNAVAILABLE', 1]);
    expect(answers).not.toContain(0);
  });

  it('an index that was emptied is a 503 once that is seen, until it is built anew', async () => {
    await fill(3000);
    await enable();
    await until('one index is left', async () => (await indexTables()).length === 1);
    // No build begins meanwhile.
    const rowLock = await openRowLock(site);
    await rowLock.acquire('LOCK TABLE search_generations IN SHARE MODE');
    for (const table of await indexTables()) await site.sql(`TRUNCATE "${table}"`);
    const find = async () => {
      await haveLooked();
      return search('"filler 2999"');
    };
    try {
      await until('503', async () => (await find()).status === 503);
    } finally {
      await rowLock.release();
      await rowLock.close();
    }
    await until('found again', async () => {
      const { status, data } = await find();
      return status === 200 && data.items.length === 1;
    });
  });

  it('an index that lacks some entries is built anew beside the one that is searched', async () => {
    for (const title of ['Lost one', 'Kept one', 'Kept two']) await publish(title);
    await enable();
    await waitUntilFound('one', 2);
    for (const table of await indexTables())
      await site.sql(`DELETE FROM "${table}" WHERE title = 'Lost one'`);
    const answers: number[] = [];
    await until('found again', async () => {
      await haveLooked();
      const { status, data } = await search('one');
      answers.push(status);
      return status === 200 && data.items.length === 2;
    });
    expect(new Set(answers)).toEqual(new Set([200]));
    await until('one index is left', async () => (await indexTables()).length === 1);
  });
});

describe('on PostgreSQL, while workers come and go', () => {
  afterEach(closeEnvironments);

  it('a queue that is backed up comes through, and is late, not lost', async () => {
    await begin({ arrangement: 'no-workers' });
    await publish('Early bird');
    await enable();
    await Promise.all(Array.from({ length: 100 }, (_, index) => publish(`Late bird ${index}`)));
    // Searches go on with what is there.
    expect(await titles('bird')).toEqual(['Early bird']);
    await testEnvironment.control('/workers/start');
    await testEnvironment.control('/workers/start');
    await waitUntilFound('late', 100);
  });

  it('a build whose worker is killed is brought to its end by another, and nothing of before is left', async () => {
    await begin({ arrangement: 'no-workers' });
    await enable();
    await fill(3000);
    // A field that becomes searchable has the worker build.
    const note = { slug: 'note', label: 'Note', type: 'text', searchable: true };
    await done(() => admin.post('/schema/collections/posts/fields', note));
    const { pid } = await testEnvironment.control<{ pid: number }>('/workers/start');
    await until('the build is on its way', progress);
    process.kill(pid, 'SIGKILL');
    await testEnvironment.control('/workers/start');
    await until(
      'everything is found',
      async () => {
        const { data } = await admin.get('/search/stats');
        return data?.collections.posts.indexed === 3000 && (await indexTables()).length === 1;
      },
      90_000,
    );
    expect((await search('"filler 2999"')).data.items).toHaveLength(1);
  }, 150_000);

  it('two rebuilds at once while entries come and go end with what is published', async () => {
    await begin({ arrangement: 'many-workers' });
    await enable();
    const ids = await Promise.all(Array.from({ length: 20 }, (_, index) => publish(`Kept ${index}`)));
    const rebuild = () => done(() => admin.post('/search/rebuild', { collection: 'posts' }));
    await Promise.all([
      rebuild(),
      rebuild(),
      ...ids.slice(0, 10).map((id) => done(() => admin.delete(`/content/posts/${id}`))),
      ...Array.from({ length: 5 }, (_, index) => publish(`Kept later ${index}`)),
      rebuild(),
    ]);
    await waitUntilFound('kept', 15);
    await until('one index is left', async () => (await indexTables()).length === 1, 90_000);
  }, 150_000);
});
