import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createTcpProxy,
  eventuallyPasses,
  statusAndCode,
  testStores,
  type Client,
  type TcpProxy,
} from '@quire/testing';
import { newDatabase, TestEnvironment, waitUntil } from './support.js';

const key = 'EU1';
const unavailable = [503, 'SERVICE_UNAVAILABLE'];

let extra: TcpProxy;
let testEnvironment: TestEnvironment;
/** Administrators of a site in the default database, and of one in the extra database. */
let here: Client;
let there: Client;

async function openSite(database?: string): Promise<Client> {
  const site = await testEnvironment.openSite({ ...(database ? { database } : {}) });
  const admin = await site.as('admin');
  await admin.post('/schema/collections', { slug: 'posts', label: 'Posts' });
  await admin.post('/schema/collections/posts/fields', { slug: 'title', label: 'Title', type: 'string' });
  return admin;
}

beforeAll(async () => {
  extra = await createTcpProxy((await newDatabase(testStores().databaseUrl)).href);
  testEnvironment = await TestEnvironment.open({
    arrangement: 'single',
    settings: { [`DATABASE_URL_${key}`]: extra.url },
  });
  here = await openSite();
  there = await openSite(key);
});
afterAll(async () => {
  await testEnvironment.close();
  await extra.disconnect();
});

const create = (admin: Client, title: string) => admin.post('/content/posts', { data: { title } });

async function isRunning(pid: number): Promise<boolean> {
  const { processes } = await testEnvironment.installation();
  return processes.some((each) => each.pid === pid);
}

/** What the process that serves requests reports of its databases, once that of the key has a state. */
async function expectReadiness(status: 'ready' | 'degraded', ofKey: 'ok' | 'failed'): Promise<void> {
  const { opsPort } = await testEnvironment.server();
  const dependencies = { 'database:content': 'ok', [`database:content:${key}`]: ofKey };
  await eventuallyPasses(
    async () => {
      const response = await fetch(`http://127.0.0.1:${opsPort}/readyz`);
      return [response.status, await response.json()];
    },
    (readiness) => expect(readiness).toMatchObject([200, { status, dependencies }]),
  );
}

/** Schedules a new entry, and waits until it is published. */
async function schedule(admin: Client, title: string): Promise<void> {
  const { id } = (await create(admin, title)).data.item;
  const scheduledAt = new Date(Date.now() + 1_500).toISOString();
  expect((await admin.post(`/content/posts/${id}/schedule`, { scheduledAt })).status).toBe(200);
  await waitUntil(
    'the entry is published',
    async () => (await admin.get(`/content/posts/${id}`)).data.item.status === 'published',
  );
}

describe('an extra database', () => {
  let path: string;

  beforeAll(async () => {
    path = `/content/posts/${(await create(there, 'Before')).data.item.id}`;
    await expectReadiness('ready', 'ok');
    await extra.disconnect();
  });

  it('that is lost makes its own sites answer 503 with Retry-After', async () => {
    for (const response of [await there.get(path), await create(there, 'During')]) {
      expect(statusAndCode(response)).toEqual(unavailable);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    await expectReadiness('degraded', 'failed');
  });

  it('that is lost leaves requests and background work of other sites alone', async () => {
    const created = await create(here, 'During');
    expect(created.status).toBe(201);
    expect((await here.get(`/content/posts/${created.data.item.id}`)).status).toBe(200);
    await schedule(here, 'Scheduled during the outage');
  });

  it('that is lost is named by `cms migrate`, which migrates the other ones', async () => {
    const command = { args: ['migrate'], isProcess: true };
    const { code, stderr } = await testEnvironment.control<{ code: number; stderr: string }>('/cms', command);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^Applied 0 migration\(s\) for 2 tenant\(s\), but .+ databases EU1: .+\n$/),
    ]);
  });

  it('that is down does not prevent the start of a process, also with migrations, which uses it when it is back', async () => {
    const server = await testEnvironment.server();
    process.kill(server.pid, 'SIGKILL');
    await waitUntil('its end is known', async () => !(await isRunning(server.pid)));
    await testEnvironment.control('/targets/start', { ...server, migrates: true });
    await expectReadiness('degraded', 'failed');
    expect(statusAndCode(await there.get(path))).toEqual(unavailable);
    expect((await create(here, 'After the start')).status).toBe(201);
    await extra.restore();
    await waitUntil('reads succeed again', async () => (await there.get(path)).status === 200);
    await schedule(there, 'Scheduled after the outage');
  });
});
