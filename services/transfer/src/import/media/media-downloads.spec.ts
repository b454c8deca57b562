import 'reflect-metadata';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { failures, resultOf, statuses, useMediaImports } from './media-import.fixture.js';

const { imports, site, attachments } = useMediaImports('spec-downloads');

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
    let throttledAt = 0;
    site.answer = (path, response, attempt) => {
      requestedAt.set(`${path}${attempt}`, Date.now());
      if (path !== '/1' || attempt > 1) return void response.end(path);
      throttledAt = Date.now();
      response.writeHead(429, { 'retry-after': '2' }).end();
    };
    imports.startWorker({}, { concurrency: 1 });
    const lines = await imports.run(attachments('/1', '/2', '/3'));
    expect(resultOf(lines).imported).toHaveLength(3);
    for (const key of ['/12', '/21', '/31'])
      expect((requestedAt.get(key) ?? 0) - throttledAt).toBeGreaterThan(1_900);
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
