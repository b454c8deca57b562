import 'reflect-metadata';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ObjectStoreFull } from '@quire/object-store';
import { downloadTasks, claimDownloads } from './download-tasks.repository.js';
import { openMediaImports, SourceSite, type Line, type MediaImports } from './media-import.fixture.js';

let imports: MediaImports;
let site: SourceSite;
let number = 0;

beforeEach(async () => {
  imports = await openMediaImports(`spec-media-${number++}`);
  site = await SourceSite.start();
});

afterEach(async () => {
  await imports.close();
  site.close();
});

const attachments = (...paths: string[]) =>
  paths.map((path, index) => ({ id: index + 1, url: site.url(path) }));
const statuses = (lines: Line[], current: number) =>
  lines.flatMap((line) => (line.type === 'progress' && line.current === current ? [line.status] : []));
const resultOf = (lines: Line[]) => {
  const last = lines.at(-1);
  if (last?.type !== 'result') throw new Error('The last line is no result');
  return last;
};
const failures = (lines: Line[]) => resultOf(lines).failed.map(({ error }) => error);

describe('a media import (contract 1.5)', () => {
  it('streams the states of each file, and the result last', async () => {
    imports.startWorker();
    const lines = await imports.run(attachments('/a.jpg', '/b.jpg'));
    expect(statuses(lines, 1)).toEqual(['downloading', 'uploading', 'done']);
    expect(statuses(lines, 2)).toEqual(['downloading', 'uploading', 'done']);
    expect(lines[0]).toMatchObject({ type: 'progress', total: 2, percent: 0 });
    expect(lines.at(-2)).toMatchObject({ status: 'done', percent: 100 });
    const [first, second] = resultOf(lines).imported;
    expect(first).toEqual({
      legacyId: 1,
      originalUrl: site.url('/a.jpg'),
      newUrl: `/_cms/api/media/file/${first?.mediaId}`,
      mediaId: expect.any(String),
    });
    expect(resultOf(lines).urlMap).toEqual({
      [site.url('/a.jpg')]: first?.newUrl,
      [site.url('/b.jpg')]: second?.newUrl,
    });
    expect(imports.media.items.get(first?.mediaId ?? '')).toMatchObject({ filename: 'a.jpg' });
    expect(await imports.countObjects()).toBe(2);
  });

  it('returns an empty result for an empty list', async () => {
    expect(await imports.run([])).toEqual([{ type: 'result', imported: [], failed: [], urlMap: {} }]);
  });

  it('stores equal bytes once, and maps both addresses', async () => {
    site.answer = (_path, response) => void response.end('same');
    imports.startWorker({}, { concurrency: 1 });
    const lines = await imports.run(attachments('/a', '/b'));
    const states = [statuses(lines, 1).at(-1), statuses(lines, 2).at(-1)];
    expect(states.sort()).toEqual(['done', 'skipped']);
    const { imported, urlMap } = resultOf(lines);
    expect(new Set(imported.map(({ mediaId }) => mediaId)).size).toBe(1);
    expect(Object.keys(urlMap)).toHaveLength(2);
    expect(await imports.countObjects()).toBe(1);
  });

  it('downloads an address once that occurs twice, with or without a fragment', async () => {
    imports.startWorker();
    const lines = await imports.run([
      { url: site.url('/a') },
      { url: site.url('/a') },
      { url: site.url('/a#top') },
    ]);
    expect(site.requests.get('/a')).toBe(1);
    expect([1, 2, 3].map((current) => statuses(lines, current).at(-1))).toEqual([
      'done',
      'skipped',
      'skipped',
    ]);
    expect(resultOf(lines).imported).toHaveLength(3);
    expect(resultOf(lines).imported[0]).not.toHaveProperty('legacyId');
  });

  it('does not download again what an earlier import stored, unless its item was deleted', async () => {
    imports.startWorker();
    const first = await imports.run(attachments('/a', '/b'));
    const [kept, deleted] = resultOf(first).imported;
    imports.media.items.delete(deleted?.mediaId ?? '');
    const second = await imports.run(attachments('/a', '/b'));
    expect([...site.requests]).toEqual([
      ['/a', 1],
      ['/b', 2],
    ]);
    expect(statuses(second, 1)).toEqual(['downloading', 'skipped']);
    expect(statuses(second, 2)).toEqual(['downloading', 'uploading', 'done']);
    expect(resultOf(second).imported[0]).toEqual(kept);
  });

  it('joins the running import when the same list is sent again', async () => {
    const id = await imports.begin(attachments('/a', '/b'));
    const gone = new AbortController();
    gone.abort();
    expect(await imports.follow(id, gone.signal)).toEqual([]);
    expect(await imports.begin(attachments('/a', '/b'))).toBe(id);
    expect(await imports.begin(attachments('/a'))).not.toBe(id);
    imports.startWorker();
    expect(resultOf(await imports.follow(id)).imported).toHaveLength(2);
    expect(statuses(await imports.follow(id), 1)).toEqual(['downloading', 'uploading', 'done']);
  });

  it('begins one import for concurrent requests with one list', async () => {
    const list = attachments('/a');
    const ids = await Promise.all([imports.begin(list), imports.begin(list), imports.begin(list)]);
    expect(new Set(ids).size).toBe(1);
  });

  it('fails files without a URL that can be requested, without a request', async () => {
    imports.startWorker();
    const lines = await imports.run([
      { id: 7, url: null },
      { url: ' ' },
      { url: 'photo.jpg' },
      { url: 'ftp://example.org/a' },
      { url: 'http://user:word@example.org/a' },
      { url: 'data:image/png;base64,AA==' },
      { url: `http://example.org/${'a'.repeat(9_000)}` },
    ]);
    const [first] = resultOf(lines).failed;
    expect(first).toEqual({ legacyId: 7, originalUrl: '', error: 'No URL' });
    expect(failures(lines)).toEqual([
      'No URL',
      'No URL',
      'Blocked: the URL is not valid',
      'Blocked: only http and https URLs are downloaded',
      'Blocked: the URL contains a user name or a password',
      'Blocked: only http and https URLs are downloaded',
      'Blocked: the URL is longer than 8192 characters',
    ]);
    expect(lines.filter((line) => line.type === 'progress').at(-1)).toMatchObject({
      percent: 100,
      status: 'failed',
    });
  });
});

describe('a download', () => {
  it('fails at a redirect to an inner address', async () => {
    site.answer = (_path, response) =>
      void response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
    imports.startWorker();
    expect(failures(await imports.run(attachments('/a')))).toEqual([
      'Blocked: 169.254.169.254 is not a public address',
    ]);
  });

  it('follows five redirects, and no sixth', async () => {
    site.answer = (path, response) => {
      const left = Number(path.slice(1));
      if (left === 0) return void response.end('file');
      response.writeHead(302, { location: `/${left - 1}` }).end();
    };
    imports.startWorker();
    const lines = await imports.run(attachments('/5', '/6'));
    expect(resultOf(lines).imported).toHaveLength(1);
    expect(failures(lines)).toEqual(['The URL is redirected more than 5 times']);
  });

  it('is not repeated after a 404', async () => {
    site.answer = (_path, response) => void response.writeHead(404).end();
    imports.startWorker();
    const lines = await imports.run(attachments('/a'));
    expect(statuses(lines, 1)).toEqual(['downloading', 'failed']);
    expect(failures(lines)).toEqual(['HTTP 404']);
    expect(site.requests.get('/a')).toBe(1);
  });

  it('is tried three times while the source fails', async () => {
    site.answer = (path, response, attempt) => {
      if (path === '/b' && attempt === 3) return void response.end('ok');
      response.writeHead(500).end();
    };
    imports.startWorker();
    const lines = await imports.run(attachments('/a', '/b'));
    expect([...site.requests.values()]).toEqual([3, 3]);
    expect(failures(lines)).toEqual(['HTTP 500']);
    expect(statuses(lines, 2).at(-1)).toBe('done');
  });

  it('waits with its host for the time of Retry-After', async () => {
    const requestedAt = new Map<string, number>();
    const answeredAt = { throttled: 0 };
    site.answer = (path, response, attempt) => {
      requestedAt.set(`${path}${attempt}`, Date.now());
      if (path !== '/1' || attempt > 1) return void response.end(path);
      answeredAt.throttled = Date.now();
      response.writeHead(429, { 'retry-after': '2' }).end();
    };
    imports.startWorker({}, { concurrency: 1 });
    const lines = await imports.run(attachments('/1', '/2', '/3'));
    expect(resultOf(lines).imported).toHaveLength(3);
    const later = ['/12', '/21', '/31'].filter((key) => (requestedAt.get(key) ?? 0) > answeredAt.throttled);
    for (const key of later)
      expect((requestedAt.get(key) ?? 0) - answeredAt.throttled).toBeGreaterThan(1_900);
    expect(later).toContain('/12');
  });

  it('gives up a server that sends byte by byte, and one that does not respond', async () => {
    const limits = {
      responseMs: 300,
      stallMs: 2_000,
      minBytesPerSecond: 1_000,
      graceMs: 300,
      totalMs: 60_000,
    };
    site.answer = async (path, response) => {
      if (path === '/silent') return;
      while (!response.destroyed) {
        response.write('x');
        await wait(20);
      }
    };
    imports.startWorker({ limits });
    const lines = await imports.run(attachments('/slow', '/silent'));
    expect(failures(lines)).toEqual(Array(2).fill('The server is too slow or does not respond'));
    expect([...site.requests.values()]).toEqual([3, 3]);
    expect(await imports.countObjects()).toBe(0);
  });

  it('stores nothing of a body that is cut off', async () => {
    site.answer = (_path, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('part');
      setTimeout(() => response.destroy(), 20);
    };
    imports.startWorker();
    expect(failures(await imports.run(attachments('/a')))).toEqual(['The file could not be downloaded']);
    expect(site.requests.get('/a')).toBe(3);
    expect(await imports.countObjects()).toBe(0);
  });

  it('fails for a file that is too large, announced or not, and for an empty one', async () => {
    site.answer = (path, response) => {
      if (path === '/empty') return void response.end();
      if (path === '/announced') response.writeHead(200, { 'content-length': '2000' });
      response.end(Buffer.alloc(2000));
    };
    imports.startWorker({ maxBytes: 1000 });
    expect(failures(await imports.run(attachments('/announced', '/chunked', '/empty')))).toEqual([
      'The file has more than 1000 bytes',
      'The file has more than 1000 bytes',
      'The file is empty',
    ]);
    expect([...site.requests.values()]).toEqual([1, 1, 1]);
    expect(await imports.countObjects()).toBe(0);
  });

  it('fails for a page that is sent as a picture', async () => {
    site.answer = (_path, response) =>
      void response.writeHead(200, { 'content-type': 'image/jpeg' }).end('<!doctype html><script></script>');
    imports.startWorker();
    expect(failures(await imports.run(attachments('/a.jpg')))).toEqual([
      'Files of type text/html are not allowed',
    ]);
    expect(await imports.countObjects()).toBe(0);
  });
});

describe('workers', () => {
  it('make each download once, and never more of a host at a time than its limit', async () => {
    site.answer = async (path, response) => {
      await wait(20);
      response.end(path);
    };
    for (let worker = 0; worker < 4; worker++) imports.startWorker();
    const paths = Array.from({ length: 60 }, (_, index) => `/${index}`);
    const lines = await imports.run(attachments(...paths));
    expect(resultOf(lines).imported).toHaveLength(60);
    expect([...site.requests.values()].every((count) => count === 1)).toBe(true);
    expect(site.mostRunning).toBeLessThanOrEqual(6);
    expect(site.mostRunning).toBeGreaterThan(1);
  });

  it('continue the download of a worker that died, and find the item that it had created', async () => {
    let died = (): void => undefined;
    let revive = (): void => undefined;
    const dead = new Promise<void>((resolve) => (died = resolve));
    const revived = new Promise<void>((resolve) => (revive = resolve));
    const id = await imports.begin(attachments('/a'));
    imports.startWorker({}, { concurrency: 1 });
    // The worker creates the item, and does nothing any more until its lease is lost.
    const call = imports.media.call.bind(imports.media);
    imports.media.call = async (operation, ctx, input) => {
      const output = await call(operation, ctx, input);
      if (operation.id !== 'createItemOfObject') return output;
      imports.media.call = call;
      died();
      await revived;
      return output;
    };
    await dead;
    await expireLeases();
    imports.startWorker();
    const lines = await imports.follow(id);
    revive();
    expect(statuses(lines, 1)).toEqual(['downloading', 'uploading', 'done']);
    expect(imports.media.items.size).toBe(1);
    expect(await imports.countObjects()).toBe(1);
    expect(site.requests.get('/a')).toBe(2);
  });

  it('write nothing after they lost their lease', async () => {
    const id = await imports.begin(attachments('/a'));
    const [leased] = await claimDownloads(imports.tenant.databases.shared(), 1);
    if (!leased) throw new Error('Nothing is due');
    await expireLeases();
    const [again] = await claimDownloads(imports.tenant.databases.shared(), 1);
    expect(again).toMatchObject({ number: 1, attempts: 2 });
    expect(await downloadTasks.complete(imports.ctx.db, leased)).toBe(false);
    await expireLeases();
    imports.startWorker();
    expect(resultOf(await imports.follow(id)).imported).toHaveLength(1);
  });

  it('stop without a trace, and others go on', async () => {
    site.answer = async (path, response, attempt) => {
      if (attempt > 1) return void response.end(path);
      response.write('beginning');
      await stopped;
    };
    let release = (): void => undefined;
    const stopped = new Promise<void>((resolve) => (release = resolve));
    const id = await imports.begin(attachments('/a'));
    const worker = imports.startWorker();
    while (site.running === 0) await wait(10);
    await worker.stop();
    expect(await imports.countObjects()).toBe(0);
    release();
    imports.startWorker();
    expect(resultOf(await imports.follow(id)).imported).toHaveLength(1);
  });

  it('wait for outages of the media service', async () => {
    let outages = 2;
    imports.media.beforeCreate = () => {
      if (outages-- > 0) throw new Error('ECONNRESET');
    };
    imports.startWorker();
    expect(resultOf(await imports.run(attachments('/a'))).imported).toHaveLength(1);
    expect(await imports.countObjects()).toBeGreaterThanOrEqual(1);
  });

  it('end the import when the storage is full, and keep what is stored', async () => {
    let puts = 0;
    const put: typeof imports.store.put = (...parameters) =>
      ++puts > 2
        ? Promise.reject(new ObjectStoreFull(new Error('ENOSPC')))
        : imports.store.put(...parameters);
    const full = new Proxy(imports.store, {
      get: (store, name) => (name === 'put' ? put : (Reflect.get(store, name) as unknown)),
    });
    const worker = imports.startWorker({ store: full }, { concurrency: 1 });
    const list = attachments('/a', '/b', '/c', '/d');
    await expect(imports.run(list)).rejects.toMatchObject({
      code: 'STORAGE_QUOTA_EXCEEDED',
      status: 507,
      details: { usedBytes: 1234, limitBytes: null },
    });
    expect(await imports.countObjects()).toBe(2);
    await worker.stop();
    imports.startWorker();
    const lines = await imports.run(list);
    expect(resultOf(lines).imported).toHaveLength(4);
    expect([1, 2, 3, 4].map((current) => statuses(lines, current).at(-1))).toEqual([
      'skipped',
      'skipped',
      'done',
      'done',
    ]);
  });

  it('leave no tasks and no hosts behind', async () => {
    const worker = imports.startWorker();
    await imports.run(attachments('/a', '/b'));
    await worker.stop();
    imports.startWorker();
    const rows = () =>
      imports.ctx.db.query<{ count: number }>(
        `SELECT (SELECT count(*) FROM cms_transfer.media_download_tasks WHERE tenant_id = $1)
           + (SELECT count(*) FROM cms_transfer.media_download_hosts WHERE tenant_id = $1) AS count`,
        [imports.tenant.tenant.id],
      );
    while ((await rows())[0]?.count !== 0) await wait(20);
    expect((await rows())[0]?.count).toBe(0);
  });
});

/** As if the workers had been dead for a minute. */
async function expireLeases(): Promise<void> {
  await imports.ctx.db.query(
    `UPDATE cms_transfer.media_download_tasks SET due_at = now(), lease_expires_at = now()
     WHERE tenant_id = $1 AND lease_token IS NOT NULL`,
    [imports.tenant.tenant.id],
  );
}
