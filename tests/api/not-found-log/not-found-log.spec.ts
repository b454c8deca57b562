import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, openSite, outcome, walkPages, type Client, type Site } from '@quire/testing';

interface Entry {
  id: string;
  path: string;
  createdAt: string;
}

const log = '/redirects/404s';
const maximumEntries = 10_000;
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
const summary = async (query = '') => (await admin.get(`${log}/summary${query}`)).data.items;
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

describe('a path that is not found', () => {
  it('enters the log, with what the caller says of the visitor', async () => {
    const before = new Date().toISOString();
    const query = `&referrer=${encodeURIComponent('https://a.example/x?y=1')}&userAgent=Browser/1&ip=192.0.2.7`;
    await miss('/missing', { query });
    await until(async () => (await entries()).length === 1);
    const [entry] = await entries();
    expect(entry).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      path: '/missing',
      referrer: 'https://a.example/x?y=1',
      userAgent: 'Browser/1',
      ip: '192.0.2.7',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(String(entry?.createdAt) >= before).toBe(true);
  });

  it('enters with the headers that a front end passes on', async () => {
    await miss('/missing', { headers: { referer: 'https://b.example/', 'user-agent': 'Browser/2' } });
    await until(async () => (await entries()).length === 1);
    expect((await entries())[0]).toMatchObject({
      referrer: 'https://b.example/',
      userAgent: 'Browser/2',
      ip: null,
    });
  });

  it('is not told its address by callers without a token', async () => {
    await admin.put('/settings', { publicRedirects: true });
    await miss('/missing', { client: site.anonymous(), query: '&ip=192.0.2.7' });
    await until(async () => (await entries()).length === 1);
    expect((await entries())[0]).toMatchObject({ path: '/missing', ip: null });
    await admin.put('/settings', { publicRedirects: null });
  });

  it('is one entry however often it is asked for, and however it is spelled', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => miss(index % 2 ? '/café?utm=1' : '/caf%c3%a9#part')),
    );
    await miss('/Café');
    await until(async () => (await countOf('/caf%C3%A9')) === 20 && (await rows()) === 2);
    await miss('/café');
    await until(async () => (await countOf('/caf%C3%A9')) === 21);
    expect((await paths()).sort()).toEqual(['/Caf%C3%A9', '/caf%C3%A9']);
  });

  it('keeps 1024 characters, and 512 of what the visitor says', async () => {
    const long = 'x'.repeat(2_000);
    await miss(`/${long}`, { query: `&referrer=${long}&userAgent=${long}` });
    await until(async () => (await entries()).length === 1);
    expect((await entries())[0]).toMatchObject({
      path: `/${'x'.repeat(1_023)}`,
      referrer: 'x'.repeat(512),
      userAgent: 'x'.repeat(512),
    });
  });

  it('is shown as text, whatever it holds', async () => {
    await miss('/<script>alert(1)</script>\'";--\u202e');
    await until(async () => (await entries()).length === 1);
    expect(await paths()).toEqual(["/%3Cscript%3Ealert(1)%3C/script%3E'%22;--%E2%80%AE"]);
  });

  it('is not one that a redirect answers', async () => {
    const made = await admin.post('/redirects', { source: '/gone', type: 410 });
    await admin.get('/redirects/resolve?path=/gone');
    await miss('/missing');
    await until(async () => (await entries()).length === 1);
    expect(await paths()).toEqual(['/missing']);
    await admin.delete(`/redirects/${made.data.id}`);
  });
});

describe('the size of the log (contract 23)', () => {
  it('is at most 10,000 paths: those that were last seen longest ago give way', async () => {
    await insert(maximumEntries);
    await miss('/old-1');
    await miss('/new-a');
    await miss('/new-b');
    await until(async () => (await countOf('/new-a')) === 1 && (await countOf('/new-b')) === 1);
    expect(await rows()).toBe(maximumEntries);
    // It was seen again just now, so the next ones gave way.
    expect([await countOf('/old-1'), await countOf('/old-2'), await countOf('/old-3')]).toEqual([2, 0, 0]);
    expect(await countOf('/old-4')).toBe(4);
  });

  it('does not grow with a flood of paths, which is answered all the same', async () => {
    await insert(maximumEntries - 5);
    for (let round = 0; round < 15; round += 1)
      await Promise.all(Array.from({ length: 100 }, (_, index) => miss(`/flood-${round}-${index}`)));
    await until(async () => (await paths('?search=flood&limit=100')).length === 100);
    expect(await rows()).toBe(maximumEntries);
  });
});

describe('listNotFoundEntries', () => {
  it('shows the newest first, page by page, none twice and none left out', async () => {
    await insert(5);
    await insert(3, { prefix: '/tied', seenAt: '2025-01-01T00:00:03Z' });
    const all = await entries();
    expect(all.map(({ createdAt }) => createdAt)).toEqual(
      all
        .map(({ createdAt }) => createdAt)
        .sort()
        .reverse(),
    );
    expect(all.map(({ path }) => path).slice(0, 5)).toEqual([
      '/tied-3',
      '/tied-2',
      '/old-5',
      '/tied-1',
      '/old-4',
    ]);
    expect((await walkPages<Entry>(admin, `${log}?limit=3`)).map(({ id }) => id)).toEqual(
      all.map(({ id }) => id),
    );
    expect((await admin.get(`${log}?limit=8`)).data).not.toHaveProperty('nextCursor');
  });

  it('filters by text of the path, literally, whatever the case and the spelling', async () => {
    await Promise.all(['/café', '/a_b', '/b'].map((path) => miss(path)));
    await until(async () => (await rows()) === 3);
    expect(await paths(`?search=${encodeURIComponent('CAF')}`)).toEqual(['/caf%C3%A9']);
    expect(await paths(`?search=${encodeURIComponent('café')}`)).toEqual(['/caf%C3%A9']);
    expect(await paths('?search=_')).toEqual(['/a_b']);
    expect(await paths('?search=zzz')).toEqual([]);
  });

  it('refuses a cursor of another search, and limits out of range', async () => {
    await insert(3);
    const { nextCursor } = (await admin.get(`${log}?limit=1`)).data;
    expect((await admin.get(`${log}?limit=2&cursor=${nextCursor}`)).status).toBe(200);
    expect(outcome(await admin.get(`${log}?search=old&cursor=${nextCursor}`))).toEqual([
      400,
      'INVALID_CURSOR',
    ]);
    expect(outcome(await admin.get(`${log}?cursor=x`))).toEqual([400, 'INVALID_CURSOR']);
    for (const query of ['limit=0', 'limit=101', 'search=', 'search=%00'])
      expect(outcome(await admin.get(`${log}?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('getNotFoundSummary', () => {
  it('is ordered by count, then by when the path was last seen', async () => {
    await insert(2);
    await site.sql('UPDATE not_found_log SET count = 7');
    await insert(1, { prefix: '/rare', seenAt: '2025-06-01T00:00:00Z' });
    expect(await summary()).toEqual([
      { path: '/old-2', count: 7, lastSeen: '2025-01-01T00:00:02.000Z', topReferrer: null },
      { path: '/old-1', count: 7, lastSeen: '2025-01-01T00:00:01.000Z', topReferrer: null },
      { path: '/rare-1', count: 1, lastSeen: '2025-06-01T00:00:01.000Z', topReferrer: null },
    ]);
    expect(await summary('?limit=1')).toHaveLength(1);
  });

  it('names the referrer that sent most visitors, over several writes', async () => {
    const from = (referrer: string) => miss('/missing', { query: `&referrer=${referrer}` });
    await Promise.all(['/a', '/b', '/b'].map(from));
    await until(async () => (await countOf('/missing')) === 3);
    expect((await summary())[0]).toMatchObject({ count: 3, topReferrer: '/b' });
    await Promise.all(['/a', '/a', '/c'].map(from));
    await until(async () => (await countOf('/missing')) === 6);
    expect((await summary())[0]).toMatchObject({ path: '/missing', count: 6, topReferrer: '/a' });
  });

  it('refuses limits out of range', async () => {
    for (const limit of ['0', '101', 'x', '1.5'])
      expect(outcome(await admin.get(`${log}/summary?limit=${limit}`))).toEqual([400, 'VALIDATION_ERROR']);
  });
});
