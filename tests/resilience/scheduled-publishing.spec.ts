import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Client, type Site } from '@quire/testing';
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
  const title = { slug: 'title', label: 'Title', type: 'string' };
  await sendUntilAvailable(() => admin.post('/schema/collections', { slug: 'posts', label: 'Posts' }));
  await sendUntilAvailable(() => admin.post('/schema/collections/posts/fields', title));
}

async function createEntries(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const created = await sendUntilAvailable(() =>
      admin.post('/content/posts', { data: { title: `Scheduled ${index}` } }),
    );
    ids.push(created.data.item.id as string);
  }
  return ids;
}

async function scheduleAll(ids: readonly string[], dueAt: number, client = admin): Promise<void> {
  const scheduledAt = new Date(dueAt).toISOString();
  // A site with many concurrent requests gets 503 for some on a busy machine.
  const send = (id: string) => client.post(`/content/posts/${id}/schedule`, { scheduledAt });
  await Promise.all(ids.map((id) => sendUntilAvailable(() => send(id))));
}

/** Creates entries that are scheduled in this many milliseconds, later on a machine that takes long to create them. */
async function schedule(count: number, inMs: number): Promise<{ ids: string[]; dueAt: number }> {
  const startedAt = Date.now();
  const ids = await createEntries(count);
  // Scheduling entries takes less time than their creation did: none is scheduled for a time that is over.
  const dueAt = Date.now() + inMs + (Date.now() - startedAt);
  await scheduleAll(ids, dueAt);
  return { ids, dueAt };
}

const waitUntilTime = (time: number) => wait(Math.max(0, time - Date.now()));

const publishedCount = async () => {
  const response = await admin.get('/content/posts?status=published&limit=1');
  return response.data?.total as number | undefined;
};

/** Expects version 3 of each entry: created 1, scheduled 2, published 3. */
async function expectPublishedOnce(ids: readonly string[]): Promise<void> {
  const rows = await site.sql<{ version: number; status: string }>(
    'SELECT version, status FROM content_posts WHERE id = ANY($1)',
    [ids],
  );
  expect(rows).toHaveLength(ids.length);
  expect(rows.filter(({ version, status }) => version !== 3 || status !== 'published')).toEqual([]);
}

async function publishesOnTime(): Promise<void> {
  const { ids } = await schedule(1, 1_500);
  const item = await waitUntil('published', async () => {
    const response = await admin.get(`/content/posts/${ids[0]}`);
    return response.data.item.status === 'published' && response.data.item;
  });
  const delayMs = Date.parse(item.publishedAt) - Date.parse(item.scheduledAt ?? item.publishedAt);
  expect(item.scheduledAt).toBeNull();
  expect(delayMs).toBeLessThan(1_000);
  await expectPublishedOnce(ids);
}

describe('scheduled publishing with queues on PostgreSQL', () => {
  usePostsEnvironment({ arrangement: 'single' });

  it('publishes within a second of the scheduled time when the worker is idle', publishesOnTime);

  it('publishes after a database outage at the scheduled time', async () => {
    const { ids, dueAt } = await schedule(5, 2_000);
    await testEnvironment.database.disconnect();
    await waitUntilTime(dueAt + 2_000);
    await testEnvironment.database.restore();
    await waitUntil('all published', async () => (await publishedCount()) === 5, 40_000);
    await expectPublishedOnce(ids);
  });

  it('does not publish trashed, unscheduled and rescheduled entries at the old time', async () => {
    const { ids, dueAt } = await schedule(3, 5_000);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    await admin.delete(`/content/posts/${ids[0]}`);
    await admin.delete(`/content/posts/${ids[1]}/schedule`);
    await admin.post(`/content/posts/${ids[2]}/schedule`, { scheduledAt: later });
    await waitUntilTime(dueAt + 3_000);
    expect(await publishedCount()).toBe(0);
    const rescheduled = await admin.get(`/content/posts/${ids[2]}`);
    expect(rescheduled.data.item).toMatchObject({ status: 'scheduled', scheduledAt: later });
  });
});

describe('scheduled publishing with queues on Redis', () => {
  usePostsEnvironment({ arrangement: 'single', onRedis: true });

  it('publishes within a second of the scheduled time when the worker is idle', publishesOnTime);

  it('publishes by the recovery sweep when Redis is down at the scheduled time', async () => {
    await testEnvironment.redis.disconnect();
    const { ids } = await schedule(5, 2_000);
    await waitUntil('all published', async () => (await publishedCount()) === 5, 20_000);
    await testEnvironment.redis.restore();
    await waitUntil('the outbox is empty', async () => {
      const { rows } = await testEnvironment.sql.query('SELECT 1 FROM cms_content.outbox');
      return rows.length === 0;
    });
    await wait(1_500);
    await expectPublishedOnce(ids);
  });
});

describe.each([
  ['PostgreSQL', false],
  ['Redis', true],
])('scheduled publishing by many workers with queues on %s', (_, onRedis) => {
  afterEach(closeEnvironments);

  it('publishes each entry exactly once with many workers', async () => {
    await openEnvironment({ arrangement: 'many-workers', onRedis });
    const { ids } = await schedule(60, 2_500);
    await waitUntil('all published', async () => (await publishedCount()) === 60);
    await wait(3_000);
    await expectPublishedOnce(ids);
  });

  it('publishes each entry once when the worker is killed', async () => {
    await openEnvironment({ arrangement: 'no-workers', onRedis });
    const first = await testEnvironment.control<{ pid: number }>('/workers/start');
    const { ids, dueAt } = await schedule(40, 2_000);
    await waitUntilTime(dueAt + 30);
    process.kill(first.pid, 'SIGKILL');
    await testEnvironment.control('/workers/start');
    await waitUntil('all published', async () => (await publishedCount()) === 40, 45_000);
    await expectPublishedOnce(ids);
  });
});

describe('scheduled publishing while no worker runs', () => {
  afterEach(closeEnvironments);

  it('publishes the entry of one site although hundreds of another site were due before (G6)', async () => {
    await openEnvironment({ arrangement: 'no-workers' });
    const startedAt = Date.now();
    const busy = { site, admin, ids: await createEntries(300) };
    // Scheduling entries takes less time than their creation did.
    const creationMs = Date.now() - startedAt;
    await openPosts();
    const ids = await createEntries(1);
    const dueAt = Date.now() + 5_000 + creationMs;
    await scheduleAll(busy.ids, dueAt, busy.admin);
    await scheduleAll(ids, dueAt + 500);
    await waitUntilTime(dueAt + 2_000);
    await testEnvironment.control('/workers/start');
    await waitUntil('the single one is published', async () => (await publishedCount()) === 1);
    const [single] = await site.sql<{ at: Date }>('SELECT published_at AS at FROM content_posts');
    const later = async () => {
      const [row] = await busy.site.sql<{ later: number; published: number }>(
        `SELECT count(*) FILTER (WHERE published_at > $1)::int AS later,
           count(published_at)::int AS published FROM content_posts`,
        [single?.at],
      );
      return row?.published === 300 && row.later;
    };
    expect(await waitUntil('all published', later)).toBeGreaterThan(100);
  });

  it('publishes overdue entries when a worker starts', async () => {
    await openEnvironment({ arrangement: 'no-workers' });
    const { ids, dueAt } = await schedule(3, 3_000);
    await waitUntilTime(dueAt + 500);
    expect(await publishedCount()).toBe(0);
    await testEnvironment.control('/workers/start');
    await waitUntil('all published', async () => (await publishedCount()) === 3);
    await expectPublishedOnce(ids);
  });

  it('keeps an invalid entry scheduled and reports it as overdue in the metrics', async () => {
    await openEnvironment({ arrangement: 'no-workers' });
    const { ids } = await schedule(1, 3_000);
    const required = { slug: 'name', label: 'Name', type: 'string', required: true };
    expect((await admin.post('/schema/collections/posts/fields', required)).status).toBe(201);
    const worker = await testEnvironment.control<{ origin: string }>('/workers/start');
    const overdue = await waitUntil('overdue in the metrics', async () => {
      const metrics = await (await fetch(`${worker.origin}/metrics`)).text();
      return (
        /^quire_scheduled_entries_overdue 1$/m.exec(metrics) &&
        /^quire_scheduled_entries_overdue_max_age_seconds ([1-9][\d.]*)$/m.exec(metrics)?.[1]
      );
    });
    expect(Number(overdue)).toBeGreaterThan(1);
    const entry = await admin.get(`/content/posts/${ids[0]}`);
    expect(entry.data.item.status).toBe('scheduled');
    await admin.put(`/content/posts/${ids[0]}`, { data: { name: 'Now it has one' } });
    await scheduleAll(ids, Date.now() + 3_000);
    await waitUntil('published', async () => (await publishedCount()) === 1);
  });
});
