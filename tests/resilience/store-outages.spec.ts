import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  addPasskey,
  cookieOf,
  createCommentedEntry,
  logIn,
  SoftwareAuthenticator,
  type ApiResponse,
  type Client,
  type Site,
} from '@quire/testing';
import { useTestEnvironment, waitUntil } from './support.js';

const testEnvironment = useTestEnvironment({ arrangement: 'single', onRedis: true });
let site: Site;
let admin: Client;

beforeAll(async () => {
  site = await testEnvironment.openSite();
  admin = await site.as('admin');
  await admin.post('/schema/collections', { slug: 'posts', label: 'Posts' });
  await admin.post('/schema/collections/posts/fields', { slug: 'title', label: 'Title', type: 'string' });
});

const readiness = async (): Promise<[status: number, text: string]> => {
  const response = await fetch(`${testEnvironment.system.opsOrigin}/readyz`);
  return [response.status, await response.text()];
};
const ready = async () => (await readiness())[0];

const toolCall = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});
const listMenus = toolCall('menu_list', {});
const createMenu = toolCall('menu_create', { name: 'during', label: 'During' });
/** Parts of causes, which no client gets. */
const causes = /select|insert|ECONN|127\.0\.0\.1|localhost|postgres|site_|\.js\b|node_modules/i;

describe('database outage', () => {
  it('returns 503 SERVICE_UNAVAILABLE with Retry-After, never 401 or 404, and recovers automatically', async () => {
    const created = await admin.post('/content/posts', { data: { title: 'Before' } });
    const path = `/content/posts/${created.data.item.id}`;
    // A credential that is not cached must not be rejected as invalid either.
    const unknownToCaches = await site.another('editor', 'late');
    await testEnvironment.database.disconnect();
    const responses: ApiResponse[] = [];
    const toolCalls: ApiResponse[] = [];
    const unknownTokens: ApiResponse[] = [];
    const end = Date.now() + 30_000;
    while (Date.now() < end) {
      toolCalls.push(await admin.post('/mcp', listMenus), await admin.post('/mcp', createMenu));
      unknownTokens.push(await unknownToCaches.post('/mcp', listMenus));
      responses.push(await admin.get(path), await unknownToCaches.get(path));
      responses.push(
        await admin.post('/content/posts', { data: { title: 'During' } }),
        await admin.get('/content/nothing'),
      );
      await wait(1_000);
    }
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
    expect(new Set(responses.map(({ error }) => error.code))).toEqual(new Set(['SERVICE_UNAVAILABLE']));
    expect(responses.every(({ headers }) => Number(headers.get('retry-after')) >= 1)).toBe(true);
    for (const { status, body, text } of toolCalls) {
      expect([status, body]).toMatchObject([200, { result: { _meta: { code: 'SERVICE_UNAVAILABLE' } } }]);
      expect(text).not.toMatch(causes);
    }
    for (const { status, body, text } of unknownTokens) {
      expect([status, body]).toMatchObject([503, { id: null, error: { code: -32603 } }]);
      expect(text).not.toMatch(causes);
    }
    expect(await ready()).toBe(503);
    expect((await fetch(`${testEnvironment.system.origin}/healthz`)).status).toBe(200);
    await testEnvironment.database.restore();
    await waitUntil('reads succeed again', async () => (await admin.get(path)).status === 200);
    expect((await unknownToCaches.get(path)).status).toBe(200);
    await waitUntil('it is ready again', async () => (await ready()) === 200);
    const list = await admin.get('/content/posts?q=During');
    expect(list.data.items).toEqual([]);
  });
});

describe('a process that starts while the database does not respond', () => {
  it('repeats the start, and is ready when the database responds', async () => {
    testEnvironment.database.stall();
    const started = testEnvironment.control<{ origin: string }>('/workers/start');
    // Longer than a process waits for a connection.
    await wait(8_000);
    await testEnvironment.database.restore();
    const { origin } = await started;
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  });
});

describe('a switchover of the database that leaves connections to a read-only server', () => {
  /** Makes new connections read-only, as those to a standby, or writable again, and closes the present ones. */
  async function setReadOnly(isReadOnly: boolean, { closes }: { closes: boolean }): Promise<void> {
    const { sql } = testEnvironment;
    const [row] = (await sql.query<{ name: string }>('SELECT current_database() AS name')).rows;
    await sql.query(
      `BEGIN READ WRITE; ALTER DATABASE ${row?.name} SET default_transaction_read_only = ${isReadOnly}; COMMIT`,
    );
    if (closes)
      await sql.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name LIKE 'quire-%'`,
      );
  }

  it('returns 503 with Retry-After for writes, keeps reading, and writes again without a restart', async () => {
    const create = () => admin.post('/content/posts', { data: { title: 'Switchover' } });
    const { id } = (await create()).data.item;
    await setReadOnly(true, { closes: true });
    const rejected = await waitUntil('a write is rejected', async () => {
      const response = await create();
      return response.status !== 201 && response;
    });
    for (const response of [rejected, await create()]) {
      expect([response.status, response.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    await waitUntil('reads succeed', async () => (await admin.get(`/content/posts/${id}`)).status === 200);
    await setReadOnly(false, { closes: false });
    await waitUntil('writes succeed again', async () => (await create()).status === 201);
  });
});

describe('Redis outage', () => {
  it('does not affect reads and writes; outbox messages are dispatched afterwards', async () => {
    const created = await admin.post('/content/posts', { data: { title: 'Waits' } });
    const waiting = async () =>
      (await testEnvironment.sql.query('SELECT 1 FROM cms_content.outbox')).rows.length;
    await waitUntil('the outbox is empty', async () => (await waiting()) === 0, 30_000);
    await testEnvironment.redis.disconnect();
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    const startedAt = Date.now();
    const scheduled = await admin.post(`/content/posts/${created.data.item.id}/schedule`, { scheduledAt });
    expect(scheduled.status).toBe(200);
    expect(Date.now() - startedAt).toBeLessThan(2_000);
    expect(
      (await admin.put(`/content/posts/${created.data.item.id}`, { data: { title: 'Still' } })).status,
    ).toBe(200);
    await wait(2_500);
    expect(await waiting()).toBe(1);
    // A check of a Redis that is away takes seconds, for which the process does not wait.
    await waitUntil('it is reported', async () => (await readiness())[1].includes('"redis":"failed"'));
    expect((await readiness())[0]).toBe(200);
    await testEnvironment.redis.restore();
    await waitUntil('the outbox is empty', async () => (await waiting()) === 0, 30_000);
  });

  it('does not affect sessions, sign-ins and sign-outs', async () => {
    const before = await site.signedIn('editor', 'present');
    const authenticator = new SoftwareAuthenticator();
    expect((await addPasskey(site, before, authenticator)).status).toBe(200);
    await testEnvironment.redis.disconnect();
    expect((await before.get('/auth/me')).status).toBe(200);
    const signedIn = await logIn(site, authenticator);
    expect(signedIn.status).toBe(200);
    const again = site.withSession(cookieOf(signedIn, 'cms_session') ?? '');
    expect((await again.get('/auth/me')).status).toBe(200);
    expect((await again.post('/auth/logout')).status).toBe(200);
    expect((await again.get('/auth/me')).status).toBe(401);
    await testEnvironment.redis.restore();
    expect((await before.get('/auth/me')).status).toBe(200);
    expect((await again.get('/auth/me')).status).toBe(401);
  });

  it('moves the rate limit of comments to the process, and back to Redis afterwards', async () => {
    const other = await testEnvironment.openSite();
    const commentedEntry = await createCommentedEntry(other);
    const submit = async () => (await commentedEntry.submit({}, { address: '192.0.2.1' })).status;
    await testEnvironment.redis.disconnect();
    const statuses = [];
    for (let turn = 0; turn < 7; turn += 1) statuses.push(await submit());
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429]);
    await testEnvironment.redis.restore();
    await waitUntil('the limit is counted in Redis again', async () => (await submit()) === 201, 30_000);
  });
});
