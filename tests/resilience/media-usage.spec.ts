import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { imageOf, UsageSite } from '../api/media-usage/support.js';
import {
  closeEnvironments,
  peakMemoryMiB,
  TestEnvironment,
  waitUntil,
  type TestEnvironmentOptions,
} from './support.js';

let testEnvironment: TestEnvironment;
let usage: UsageSite;

async function openEnvironment(options: TestEnvironmentOptions): Promise<void> {
  testEnvironment = await TestEnvironment.open(options);
  usage = await UsageSite.open(await testEnvironment.openSite());
  await usage.track();
}

afterEach(closeEnvironments);

/** Changes the images of entries in several rounds. @returns the images */
async function changeEntries(count: number, rounds: number, between: (round: number) => Promise<void>) {
  const images = await Promise.all([usage.media(), usage.media(), usage.media()]);
  const imageAt = (place: number) => imageOf(images[place % images.length] ?? '');
  const entries = await Promise.all(Array.from({ length: count }, () => usage.entry({ hero: imageAt(0) })));
  for (let round = 1; round <= rounds; round += 1) {
    await between(round);
    await Promise.all(
      entries.map(async (entry, place) => {
        await entry.put({ data: { hero: imageAt(place + round) } });
        if (round % 2 === 0) await entry.publish();
      }),
    );
  }
  return images;
}

/** The sources in the index, one line each, and the expected ones from the tables of content. */
async function sources(): Promise<{ indexed: string[]; stored: string[] }> {
  const lines = async (text: string) =>
    (await usage.site.sql<{ line: string }>(`SELECT line FROM (${text}) AS found (line) ORDER BY line`)).map(
      ({ line }) => line,
    );
  return {
    indexed: await lines("SELECT content_id || ' ' || variant || ' ' || media_id FROM media_usage_sources"),
    stored: await lines(
      `SELECT id || ' columns ' || (hero ->> 'id') FROM content_posts WHERE hero IS NOT NULL
       UNION ALL SELECT e.id || ' draft_overlay ' || (d.data -> 'hero' ->> 'id') FROM content_posts e
         JOIN revisions d ON d.id = e.draft_revision_id WHERE (d.data -> 'hero' ->> 'id') IS NOT NULL`,
    ),
  };
}

const workLeft = () =>
  testEnvironment.sql.query('SELECT 1 FROM cms_media.usage_work UNION ALL SELECT 1 FROM cms_content.outbox');

/** Waits until the index equals the content and no work is left. */
async function expectIndexConsistent(withinMs = 20_000): Promise<void> {
  await waitUntil(
    'the index is consistent',
    async () => {
      const { indexed, stored } = await sources();
      const { rowCount } = await workLeft();
      return rowCount === 0 && indexed.join() === stored.join();
    },
    withinMs,
  );
  expect((await sources()).indexed).not.toEqual([]);
}

describe.each([
  ['PostgreSQL', false],
  ['Redis', true],
])('media usage index with queues on %s', (_, onRedis) => {
  it('is consistent after concurrent indexing by many workers', async () => {
    await openEnvironment({ arrangement: 'many-workers', onRedis });
    await changeEntries(8, 6, () => Promise.resolve());
    await expectIndexConsistent();
    expect(await usage.coverage()).toBe('complete');
  });

  it('is consistent after workers were killed', async () => {
    await openEnvironment({ arrangement: 'no-workers', onRedis });
    await changeEntries(8, 4, async (round) => {
      const { pid } = await testEnvironment.control<{ pid: number }>('/workers/start');
      setTimeout(() => process.kill(pid, 'SIGKILL'), 20 * round + 10);
      await wait(5);
    });
    await wait(200);
    await testEnvironment.control('/workers/start');
    // The leases of killed workers and stalled jobs must expire first.
    await expectIndexConsistent(100_000);
  });
});

describe('database outage', () => {
  it('loses no index update after recovery', async () => {
    await openEnvironment({ arrangement: 'single' });
    const image = await usage.media();
    const entry = await usage.entry({ hero: imageOf(image) });
    await testEnvironment.database.disconnect();
    await wait(1_500);
    await testEnvironment.database.restore();
    await waitUntil(
      'writing again',
      async () => (await entry.put({ data: { title: 'After' } })).status === 200,
    );
    await expectIndexConsistent(60_000);
    expect(await usage.countOf(image)).toBe(1);
  });
});

describe('collection of 100 000 entries', () => {
  const count = 100_000;

  /** Inserts published entries with the image. */
  const fill = (image: string) =>
    usage.site.sql(
      `INSERT INTO content_posts (id, slug, status, _locale, _translation_group, title, hero)
       SELECT entry, 'entry-' || n, 'published', 'en', entry, 'Entry ' || n, $1::jsonb
       FROM (SELECT n, 'E' || lpad(n::text, 25, '0') AS entry FROM generate_series(1, $2::integer) AS n) AS numbered`,
      [JSON.stringify(imageOf(image)), count],
    );

  it('is repaired in bounded memory and reports progress', async () => {
    // While the machine has free memory, V8 delays collections, under load by hundreds of MiB: its heap has a limit.
    const settings = { NODE_OPTIONS: '--max-old-space-size=192' };
    testEnvironment = await TestEnvironment.open({ arrangement: 'no-workers', settings });
    usage = await UsageSite.open(await testEnvironment.openSite());
    const image = await usage.media();
    await fill(image);
    const { pid } = await testEnvironment.server();
    await usage.usageOf(image);
    await peakMemoryMiB(pid);
    await wait(500);
    const idle = await peakMemoryMiB(pid);

    let isDone = false;
    const repair = usage.repair('posts').finally(() => (isDone = true));
    const observed: { count: number; status: string }[] = [];
    while (!isDone) {
      const { count: indexed, coverage } = await usage.usageOf(image);
      observed.push({ count: indexed, status: coverage.status });
      await wait(200);
    }
    expect(await repair).toMatchObject({ status: 'complete', indexedSourceCount: count });
    expect(observed.map(({ status }) => status)).toContain('running');
    const counts = observed.map((each) => each.count);
    expect(counts).toEqual([...counts].sort((one, other) => one - other));
    expect(counts.filter((each) => each > 0 && each < count).length).toBeGreaterThan(2);
    expect((await peakMemoryMiB(pid)) - idle).toBeLessThan(200);
    expect(await usage.countOf(image)).toBe(count);
  });
});
