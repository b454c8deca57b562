import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  describeDoors,
  eventually,
  openSite,
  outcome,
  type Client,
  type Door,
  type Site,
} from '@quire/testing';

interface Entry {
  id: string;
  path: string;
  createdAt: string;
}

const log = '/redirects/404s';
let site: Site;
let admin: Client;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
});
afterEach(async () => {
  await admin.delete(log);
});
afterAll(() => site.close());

const miss = async (path: string, { client = admin, query = '', headers = {} } = {}) => {
  const answer = await client.get(`/redirects/resolve?path=${encodeURIComponent(path)}${query}`, { headers });
  expect([answer.status, answer.data]).toEqual([200, { redirect: null }]);
};
const entries = async (query = ''): Promise<Entry[]> => (await admin.get(`${log}${query}`)).data.items;
const paths = async (query = '') => (await entries(query)).map(({ path }) => path);
const countOf = async (path: string): Promise<number> =>
  (await site.sql<{ count: string }>('SELECT count FROM not_found_log WHERE path = $1', [path])).reduce(
    (sum, { count }) => sum + Number(count),
    0,
  );
const rows = async () => Number((await site.sql('SELECT count(*) FROM not_found_log'))[0]?.['count']);

/** Misses are written every few seconds. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  expect(await eventually(isSo)).toBe(true);
}

/** Rows as the log holds them, without asking for each path. */
const insert = (count: number, { prefix = '/old', seenAt = '2025-01-01T00:00:00Z' } = {}) =>
  site.sql(
    `INSERT INTO not_found_log (id, path, count, referrers, created_at, last_seen_at)
     SELECT $1 || n, $1 || '-' || n, n, '{}', $2::timestamptz + n * interval '1 second',
       $2::timestamptz + n * interval '1 second'
     FROM generate_series(1, $3) AS n`,
    [prefix, seenAt, count],
  );

describe('pruneNotFoundLog', () => {
  it('deletes the paths that were last asked for before the instant, and no redirects', async () => {
    const made = await admin.post('/redirects', { source: '/old-rule', destination: '/x' });
    await site.sql("UPDATE redirects SET created_at = '2020-01-01Z', updated_at = '2020-01-01Z'");
    await insert(5);
    const { status, data } = await admin.post(log, { olderThan: '2025-01-01T01:00:03.000+01:00' });
    expect([status, data]).toEqual([200, { deleted: 2 }]);
    expect(await paths()).toEqual(['/old-5', '/old-4', '/old-3']);
    expect((await admin.post(log, { olderThan: '2025-01-01T00:00:03Z' })).data).toEqual({ deleted: 0 });
    expect((await admin.delete(`/redirects/${made.data.id}`)).status).toBe(200);
  });

  it('keeps a path that is still asked for, however long it has been in the log', async () => {
    await insert(1);
    await miss('/old-1');
    await until(async () => (await countOf('/old-1')) === 2);
    expect((await admin.post(log, { olderThan: '2025-06-01T00:00:00Z' })).data).toEqual({ deleted: 0 });
  });

  it.each([
    {},
    { olderThan: 'yesterday' },
    { olderThan: '2025-01-01T00:00:00' },
    { olderThan: null },
    { olderThan: 5 },
  ])('refuses %j (decision 21)', async (body) => {
    await insert(1);
    expect(outcome(await admin.post(log, body))).toEqual([400, 'VALIDATION_ERROR']);
    expect(await rows()).toBe(1);
  });
});

describe('clearNotFoundLog', () => {
  it('empties the log and leaves redirects alone', async () => {
    const made = await admin.post('/redirects', { source: '/rule', destination: '/x' });
    await insert(4);
    const { status, data } = await admin.delete(log);
    expect([status, data]).toEqual([200, { deleted: 4 }]);
    expect(await entries()).toEqual([]);
    expect((await admin.delete(log)).data).toEqual({ deleted: 0 });
    expect((await admin.delete(`/redirects/${made.data.id}`)).status).toBe(200);
  });

  it('may happen while others write, prune and clear', async () => {
    await insert(500);
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => admin.delete(log)),
      ...Array.from({ length: 10 }, () => admin.post(log, { olderThan: '2030-01-01T00:00:00Z' })),
      ...Array.from({ length: 10 }, (_, index) => admin.get(`/redirects/resolve?path=/old-${index}`)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const deleted = answers.slice(0, 20).reduce((sum, { data }) => sum + Number(data.deleted), 0);
    expect(deleted).toBeGreaterThanOrEqual(500);
  });
});

describe('who may see and empty the log (contract 5)', () => {
  const doors: Door[] = [
    {
      permission: 'redirects:read',
      lowest: 'editor',
      scopes: ['admin'],
      answers: 200,
      operations: {
        listNotFoundEntries: (client) => client.get(log),
        getNotFoundSummary: (client) => client.get(`${log}/summary`),
      },
    },
    {
      permission: 'redirects:manage',
      lowest: 'admin',
      scopes: ['admin'],
      answers: 200,
      operations: {
        pruneNotFoundLog: (client) => client.post(log, { olderThan: '2025-01-01T00:00:00Z' }),
        clearNotFoundLog: (client) => client.delete(log),
      },
    },
  ];
  describeDoors(() => site, doors);

  it('not the neighbour: each site has its own', async () => {
    const neighbour = await openSite();
    const theirs = await neighbour.as('admin');
    await insert(3);
    await miss('/ours');
    await until(async () => (await countOf('/ours')) === 1);
    expect((await theirs.get(log)).data.items).toEqual([]);
    expect((await theirs.get(`${log}/summary`)).data.items).toEqual([]);
    expect((await theirs.post(log, { olderThan: '2099-01-01T00:00:00Z' })).data).toEqual({ deleted: 0 });
    expect((await theirs.delete(log)).data).toEqual({ deleted: 0 });
    expect(await rows()).toBe(4);
    await neighbour.close();
  });
});
