import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { statusAndCode, testPgBouncer, testStores, type Client } from '@quire/testing';
import { useTestEnvironment, waitUntil, type TestEnvironment } from './support.js';

const siteCount = 3;
const requests = 1_000;
const concurrency = 12;
const startTimeoutMs = 60_000;
const program = fileURLToPath(new URL('../../services/standalone/dist/bundle/main.js', import.meta.url));

interface PooledSite {
  name: string;
  admin: Client;
  entryId: string;
}

async function openPooledSite(testEnvironment: TestEnvironment, index: number): Promise<PooledSite> {
  const name = `site ${index}`;
  const site = await testEnvironment.openSite();
  const admin = await site.as('admin');
  await admin.post('/schema/collections', { slug: 'posts', label: 'Posts' });
  await admin.post('/schema/collections/posts/fields', { slug: 'title', label: 'Title', type: 'string' });
  const created = await admin.post('/content/posts', { data: { title: name } });
  return { name, admin, entryId: created.data.item.id };
}

/** The titles that a read or a write of a site returns. */
async function use({ name, admin, entryId }: PooledSite, turn: number): Promise<string[]> {
  const path = `/content/posts/${entryId}`;
  if (turn % 4 === 0) {
    const { data } = await admin.put(path, { data: { title: `${name}, turn ${turn}` } });
    return [data.item.data.title];
  }
  if (turn % 4 === 1) return [(await admin.get(path)).data.item.data.title];
  const { data } = await admin.get('/content/posts');
  return data.items.map(({ data: { title } }: { data: { title: string } }) => title);
}

/** Starts a process on a database, which must fail. @returns its exit code and what it printed */
async function start(environment: Record<string, string>): Promise<[code: number, stderr: string]> {
  const child = spawn(process.execPath, [program, '--target', 'content'], {
    env: { PORT: '0', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: startTimeoutMs,
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return [code, stderr];
}

describe('a pooler in session mode', () => {
  const testEnvironment = useTestEnvironment({
    arrangement: 'single',
    databaseServer: testPgBouncer().session,
    settings: { CMS_DATABASE_POOLER: 'session' },
  });

  it('serves each site its own rows under interleaved reads and writes', async () => {
    const sites: PooledSite[] = [];
    for (let index = 0; index < siteCount; index += 1)
      sites.push(await openPooledSite(testEnvironment, index));
    let turn = 0;
    const wrong: string[] = [];
    const client = async () => {
      while (turn < requests) {
        const current = (turn += 1);
        const site = sites[current % siteCount] as PooledSite;
        const titles = await use(site, Math.floor(current / siteCount));
        if (titles.length !== 1) wrong.push(`${site.name}: ${titles.length} entries`);
        wrong.push(...titles.filter((title) => !title.startsWith(site.name)));
      }
    };
    await Promise.all(Array.from({ length: concurrency }, client));
    expect(wrong).toEqual([]);
  });

  it('serves the queue, which needs notifications of its own session', async () => {
    const { admin, entryId } = await openPooledSite(testEnvironment, siteCount);
    const outbox = async () => (await testEnvironment.sql.query('SELECT FROM cms_content.outbox')).rowCount;
    const scheduledAt = new Date(Date.now() + 2_000).toISOString();
    expect((await admin.post(`/content/posts/${entryId}/schedule`, { scheduledAt })).status).toBe(200);
    await waitUntil('the outbox is empty', async () => (await outbox()) === 0);
    const status = async () => (await admin.get(`/content/posts/${entryId}`)).data.item.status;
    await waitUntil('the entry is published', async () => (await status()) === 'published');
  });

  it('is refused without CMS_DATABASE_POOLER', async () => {
    const [code, stderr] = await start({ DATABASE_URL: testPgBouncer().session });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^The database at .* CMS_DATABASE_POOLER=session\n$/),
    ]);
  });
});

describe('a pooler in transaction mode', () => {
  const testEnvironment = useTestEnvironment({ arrangement: 'single' });

  it('is refused at the start with one line', async () => {
    const [code, stderr] = await start({ DATABASE_URL: testPgBouncer().transaction });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^The database at 127\.0\.0\.1:\d+ is behind a connection pooler: [^\n]+\n$/),
    ]);
  });

  it('is refused at the start also as a pooler in session mode', async () => {
    const [code, stderr] = await start({
      DATABASE_URL: testPgBouncer().transaction,
      CMS_DATABASE_POOLER: 'session',
    });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^CMS_DATABASE_POOLER is session, but [^\n]+\n$/),
    ]);
  });

  it('is refused by a running process whose connections begin to lead to it', async () => {
    const site = await testEnvironment.openSite();
    const admin = await site.as('admin');
    await admin.post('/schema/collections', { slug: 'posts', label: 'Posts' });
    const { database } = testEnvironment;
    database.redirect(testPgBouncer().transaction);
    for (let turn = 0; turn < 20; turn += 1) {
      const response = await admin.get('/content/posts?limit=3');
      expect(statusAndCode(response)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    }
    database.redirect(testStores().databaseUrl);
    await waitUntil(
      'reads succeed again',
      async () => (await admin.get('/content/posts?limit=3')).status === 200,
    );
  });
});
