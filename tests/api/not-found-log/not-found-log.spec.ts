import { describe, expect, it } from '@jest/globals';
import { statusAndCode, walkPages } from '@quire/testing';
import { useNotFoundLog, waitUntil, type LoggedPath } from './support.js';

const maxEntries = 10_000;
const log = useNotFoundLog();

const summary = async (query = '') => (await log.admin.get(`${log.path}/summary${query}`)).data.items;

describe('GET /redirects/resolve of a path without a redirect', () => {
  it('logs the path with referrer, user agent and ip of the query', async () => {
    const before = new Date().toISOString();
    const query = `&referrer=${encodeURIComponent('https://a.example/x?y=1')}&userAgent=Browser/1&ip=192.0.2.7`;
    await log.recordMiss('/missing', { query });
    await waitUntil(async () => (await log.entries()).length === 1);
    const [entry] = await log.entries();
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

  it('logs the referer and user-agent headers', async () => {
    await log.recordMiss('/missing', {
      headers: { referer: 'https://b.example/', 'user-agent': 'Browser/2' },
    });
    await waitUntil(async () => (await log.entries()).length === 1);
    expect((await log.entries())[0]).toMatchObject({
      referrer: 'https://b.example/',
      userAgent: 'Browser/2',
      ip: null,
    });
  });

  it('ignores the ip of callers without a token', async () => {
    await log.admin.put('/settings', { publicRedirects: true });
    await log.recordMiss('/missing', { client: log.site.anonymous(), query: '&ip=192.0.2.7' });
    await waitUntil(async () => (await log.entries()).length === 1);
    expect((await log.entries())[0]).toMatchObject({ path: '/missing', ip: null });
    await log.admin.put('/settings', { publicRedirects: null });
  });

  it('counts one entry for repeated requests in any spelling', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => log.recordMiss(index % 2 ? '/café?utm=1' : '/caf%c3%a9#part')),
    );
    await log.recordMiss('/Café');
    await waitUntil(async () => (await log.countOf('/caf%C3%A9')) === 20 && (await log.rows()) === 2);
    await log.recordMiss('/café');
    await waitUntil(async () => (await log.countOf('/caf%C3%A9')) === 21);
    expect((await log.paths()).sort()).toEqual(['/Caf%C3%A9', '/caf%C3%A9']);
  });

  it('stores 1024 characters of the path and 512 of referrer and user agent', async () => {
    const long = 'x'.repeat(2_000);
    await log.recordMiss(`/${long}`, { query: `&referrer=${long}&userAgent=${long}` });
    await waitUntil(async () => (await log.entries()).length === 1);
    expect((await log.entries())[0]).toMatchObject({
      path: `/${'x'.repeat(1_023)}`,
      referrer: 'x'.repeat(512),
      userAgent: 'x'.repeat(512),
    });
  });

  it('stores markup percent-encoded', async () => {
    await log.recordMiss('/<script>alert(1)</script>\'";--\u202e');
    await waitUntil(async () => (await log.entries()).length === 1);
    expect(await log.paths()).toEqual(["/%3Cscript%3Ealert(1)%3C/script%3E'%22;--%E2%80%AE"]);
  });

  it('does not log paths with a redirect', async () => {
    const created = await log.admin.post('/redirects', { source: '/gone', type: 410 });
    await log.admin.get('/redirects/resolve?path=/gone');
    await log.recordMiss('/missing');
    await waitUntil(async () => (await log.entries()).length === 1);
    expect(await log.paths()).toEqual(['/missing']);
    await log.admin.delete(`/redirects/${created.data.id}`);
  });
});

describe('size of the not-found log (contract 23)', () => {
  it('is at most 10,000 paths; the least recently seen are deleted', async () => {
    await log.insert(maxEntries);
    await log.recordMiss('/old-1');
    await log.recordMiss('/new-a');
    await log.recordMiss('/new-b');
    await waitUntil(async () => (await log.countOf('/new-a')) === 1 && (await log.countOf('/new-b')) === 1);
    expect(await log.rows()).toBe(maxEntries);
    // "/old-1" was seen again, so the next oldest were deleted.
    expect([await log.countOf('/old-1'), await log.countOf('/old-2'), await log.countOf('/old-3')]).toEqual([
      2, 0, 0,
    ]);
    expect(await log.countOf('/old-4')).toBe(4);
  });

  it('does not exceed the limit during a flood of requests', async () => {
    await log.insert(maxEntries - 5);
    for (let round = 0; round < 15; round += 1)
      await Promise.all(
        Array.from({ length: 100 }, (_, index) => log.recordMiss(`/flood-${round}-${index}`)),
      );
    await waitUntil(async () => (await log.paths('?search=flood&limit=100')).length === 100);
    expect(await log.rows()).toBe(maxEntries);
  });
});

describe('GET /redirects/404s', () => {
  it('returns the newest first, in pages, each once', async () => {
    await log.insert(5);
    await log.insert(3, { prefix: '/tied', seenAt: '2025-01-01T00:00:03Z' });
    const all = await log.entries();
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
    expect((await walkPages<LoggedPath>(log.admin, `${log.path}?limit=3`)).map(({ id }) => id)).toEqual(
      all.map(({ id }) => id),
    );
    expect((await log.admin.get(`${log.path}?limit=8`)).data).not.toHaveProperty('nextCursor');
  });

  it('filters by literal text of the path, ignoring case and spelling', async () => {
    await Promise.all(['/café', '/a_b', '/b'].map((path) => log.recordMiss(path)));
    await waitUntil(async () => (await log.rows()) === 3);
    expect(await log.paths(`?search=${encodeURIComponent('CAF')}`)).toEqual(['/caf%C3%A9']);
    expect(await log.paths(`?search=${encodeURIComponent('café')}`)).toEqual(['/caf%C3%A9']);
    expect(await log.paths('?search=_')).toEqual(['/a_b']);
    expect(await log.paths('?search=zzz')).toEqual([]);
  });

  it('rejects cursors of another search and limits out of range', async () => {
    await log.insert(3);
    const { nextCursor } = (await log.admin.get(`${log.path}?limit=1`)).data;
    expect((await log.admin.get(`${log.path}?limit=2&cursor=${nextCursor}`)).status).toBe(200);
    expect(statusAndCode(await log.admin.get(`${log.path}?search=old&cursor=${nextCursor}`))).toEqual([
      400,
      'INVALID_CURSOR',
    ]);
    expect(statusAndCode(await log.admin.get(`${log.path}?cursor=x`))).toEqual([400, 'INVALID_CURSOR']);
    for (const query of ['limit=0', 'limit=101', 'search=', 'search=%00'])
      expect(statusAndCode(await log.admin.get(`${log.path}?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('GET /redirects/404s/summary', () => {
  it('is sorted by count and last seen time', async () => {
    await log.insert(2);
    await log.site.sql('UPDATE not_found_log SET count = 7');
    await log.insert(1, { prefix: '/rare', seenAt: '2025-06-01T00:00:00Z' });
    expect(await summary()).toEqual([
      { path: '/old-2', count: 7, lastSeen: '2025-01-01T00:00:02.000Z', topReferrer: null },
      { path: '/old-1', count: 7, lastSeen: '2025-01-01T00:00:01.000Z', topReferrer: null },
      { path: '/rare-1', count: 1, lastSeen: '2025-06-01T00:00:01.000Z', topReferrer: null },
    ]);
    expect(await summary('?limit=1')).toHaveLength(1);
  });

  it('returns the most frequent referrer over several writes', async () => {
    const from = (referrer: string) => log.recordMiss('/missing', { query: `&referrer=${referrer}` });
    await Promise.all(['/a', '/b', '/b'].map(from));
    await waitUntil(async () => (await log.countOf('/missing')) === 3);
    expect((await summary())[0]).toMatchObject({ count: 3, topReferrer: '/b' });
    await Promise.all(['/a', '/a', '/c'].map(from));
    await waitUntil(async () => (await log.countOf('/missing')) === 6);
    expect((await summary())[0]).toMatchObject({ path: '/missing', count: 6, topReferrer: '/a' });
  });

  it('returns 400 VALIDATION_ERROR for limits out of range', async () => {
    for (const limit of ['0', '101', 'x', '1.5'])
      expect(statusAndCode(await log.admin.get(`${log.path}/summary?limit=${limit}`))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
  });
});
