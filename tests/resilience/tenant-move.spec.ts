import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testStores, type Client } from '@quire/testing';
import pg from 'pg';
import { newDatabase, TestEnvironment, waitUntil } from './support.js';

const key = 'EU2';
/** Longer than the wait for all processes and for requests that have begun before. */
const timeoutMs = 300_000;

let testEnvironment: TestEnvironment;
let admin: Client;
let tenant: string;
beforeAll(async () => {
  testEnvironment = await TestEnvironment.open({
    arrangement: 'two-servers',
    settings: { [`DATABASE_URL_${key}`]: await newOwnedDatabase() },
  });
  const site = await testEnvironment.openSite();
  ({ tenant } = site);
  admin = await site.as('admin');
  await admin.post('/schema/collections', { slug: 'posts', label: 'Posts' });
  await admin.post('/schema/collections/posts/fields', { slug: 'title', label: 'Title', type: 'string' });
});
afterAll(() => testEnvironment.close());

/** Creates a database with a login of its own that is no superuser. @returns its address */
async function newOwnedDatabase(): Promise<string> {
  const url = await newDatabase(testStores().databaseUrl);
  const owner = `${url.pathname.slice(1)}_owner`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD ${pg.escapeLiteral(url.password)}`);
  await client.query(`GRANT CREATE ON DATABASE ${url.pathname.slice(1)} TO ${owner}`);
  await client.end();
  return Object.assign(url, { username: owner }).href;
}

const create = (title: string) => admin.post('/content/posts', { data: { title } });
const move = (database: string, { keeps = false, until }: { keeps?: boolean; until?: string } = {}) =>
  testEnvironment.control<{ code: number | null; stdout: string; stderr: string }>('/cms', {
    args: [
      'tenant',
      'move',
      tenant,
      '--database',
      database,
      '--max-pause',
      '20',
      ...(keeps ? ['--keep'] : []),
    ],
    isProcess: true,
    until,
  });

/** Reads and writes until some work has ended. @returns the statuses of the responses */
async function during(work: Promise<unknown>): Promise<{ reads: Set<number>; writes: Set<number> }> {
  const [reads, writes] = [new Set<number>(), new Set<number>()];
  let isEnded = false;
  const repeat = async (send: () => Promise<{ status: number }>, statuses: Set<number>) => {
    for (; !isEnded; await wait(20)) statuses.add((await send()).status);
  };
  const clients = [
    repeat(() => admin.get('/content/posts'), reads),
    repeat(() => create('During the move'), writes),
  ];
  await work.finally(() => (isEnded = true));
  await Promise.all(clients);
  return { reads, writes };
}

describe('cms tenant move in an installation of several processes', () => {
  it(
    'rejects writes with 503 while the tables are copied, and no read until the former copy is gone',
    async () => {
      await create('Before');
      const moving = move(key);
      const { reads, writes } = await during(moving);
      const { code, stdout, stderr } = await moving;
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain(`Moved the tenant ${tenant} from default to ${key}`);
      expect([...reads]).toEqual([200]);
      expect([...writes].sort()).toEqual([201, 503]);
      expect((await create('After')).status).toBe(201);
      const former = await testEnvironment.sql.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [
        `site_${tenant}`,
      ]);
      expect(former.rows).toEqual([]);
    },
    timeoutMs,
  );

  it(
    'lets writes pass again when the command is interrupted, and completes the move when it is repeated',
    async () => {
      const interrupted = move('default', { until: 'Writes are rejected' });
      const { reads } = await during(interrupted);
      expect((await interrupted).stdout).not.toContain('Moved the tenant');
      expect([...reads]).toEqual([200]);
      await waitUntil('writes succeed', async () => (await create('After')).status === 201, 60_000);
      const repeated = move('default', { keeps: true });
      const statuses = await during(repeated);
      expect(await repeated).toMatchObject({ code: 0, stderr: '' });
      expect([...statuses.reads]).toEqual([200]);
      expect((await create('Back')).status).toBe(201);
    },
    timeoutMs,
  );
});
