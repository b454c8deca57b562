import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { recordAddresses } from './addresses/index.js';
import { failures, resultOf, statuses, useMediaImports } from './media-import.fixture.js';

const { imports, site, attachments } = useMediaImports('spec-media');

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
    expect(['/a', '/b'].map((path) => site.requests.get(path))).toEqual([1, 2]);
    expect(statuses(second, 1)).toEqual(['downloading', 'skipped']);
    expect(statuses(second, 2)).toEqual(['downloading', 'uploading', 'done']);
    expect(resultOf(second).imported[0]).toEqual(kept);
  });

  it('maps the other addresses of a file that an export has shown, and takes no other file for it', async () => {
    imports.startWorker();
    const named = (path: string, guidUrl: string) => ({
      url: site.url(path),
      guidUrl,
      file: 'a.jpg',
      variants: [],
    });
    const former = 'https://former.example/uploads/';
    await recordAddresses(
      imports.ctx.db,
      [named('/a.jpg', `${former}guid.jpg`), named('/b.jpg', site.url('/a.jpg'))],
      [former],
    );
    const { imported, urlMap } = resultOf(await imports.run(attachments('/a.jpg', '/b.jpg')));
    const [a, b] = imported.map(({ newUrl }) => newUrl);
    expect(a).not.toBe(b);
    expect(urlMap).toEqual({
      [site.url('/a.jpg')]: a,
      [site.url('/b.jpg')]: b,
      [`${former}guid.jpg`]: a,
      [`${former}a.jpg`]: a,
    });
  });

  it('joins the running import when the same list is sent again', async () => {
    const id = await imports.begin(attachments('/a', '/b'));
    const gone = new AbortController();
    gone.abort();
    expect(await imports.follow(id, gone.signal)).toEqual([]);
    expect(await imports.begin(attachments('/a', '/b'))).toBe(id);
    expect(await imports.begin(attachments('/c'))).not.toBe(id);
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
