import { beforeAll, describe, expect, it } from '@jest/globals';
import { createImage, openSite, statusAndCode, uploadFile, useSite, type Client } from '@quire/testing';
import { fileAt } from './support.js';

const site = useSite();
let author: Client;
let bytes: Buffer;
let item: { id: string; url: string; storageKey: string };
beforeAll(async () => {
  author = await site.as('author');
  bytes = await createImage({ width: 40, height: 30 });
  item = (await uploadFile(author, { bytes, type: 'image/png', filename: "Ünï 100% (it's).png" })).data.item;
});

const get = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET', path = item.url) =>
  fileAt(site, path, { method, headers });

describe('GET /media/file/{key}', () => {
  it('returns the file to the public, with immutable caching and without active content', async () => {
    const response = await get();
    expect([response.status, response.bytes.equals(bytes)]).toEqual([200, true]);
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[^"]+"$/),
      'content-disposition': `inline; filename="_n_ 100_ (it's).png"; filename*=UTF-8''%C3%9Cn%C3%AF%20100%25%20%28it%27s%29.png`,
    });
  });

  it('returns the same headers for HEAD', async () => {
    const [whole, head] = [await get(), await get({}, 'HEAD')];
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'content-disposition'])
      expect(head.headers[name]).toBe(whole.headers[name]);
  });

  it('returns 304 for a matching If-None-Match, also with a Range', async () => {
    const etag = String((await get()).headers['etag']);
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await get({ 'if-none-match': tag, range: 'bytes=0-1' });
      expect([response.status, response.bytes.length, response.headers['etag']]).toEqual([304, 0, etag]);
    }
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  it.each([
    ['bytes=0-3', 0, 4],
    ['bytes=10-', 10, undefined],
    ['bytes=-5', -5, undefined],
    ['bytes=3-99999999', 3, undefined],
  ])('returns 206 with the bytes of %s', async (range, from, to) => {
    const response = await get({ range });
    const part = bytes.subarray(from, to);
    expect([response.status, response.bytes.equals(part)]).toEqual([206, true]);
    const start = from < 0 ? bytes.length + from : from;
    expect(response.headers['content-range']).toBe(
      `bytes ${start}-${start + part.length - 1}/${bytes.length}`,
    );
  });

  it('returns 416 for an unsatisfiable range', async () => {
    const response = await get({ range: `bytes=${bytes.length}-` });
    expect([response.status, response.headers['content-range']]).toEqual([416, `bytes */${bytes.length}`]);
  });

  it.each(['bytes=0-1,4-5', 'lines=0-1', 'bytes=5-2'])(
    'ignores the range %s and returns the whole file',
    async (range) => {
      expect((await get({ range })).status).toBe(200);
    },
  );

  it('returns a range only for a matching If-Range', async () => {
    const etag = String((await get()).headers['etag']);
    expect((await get({ range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
    expect((await get({ range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
  });

  it.each([
    ['application/pdf', '%PDF-1.7\nsaved'],
    ['video/x-anything', 'shown'],
  ])('returns the type %s with its disposition', async (type, value) => {
    const { url } = (await uploadFile(author, { bytes: value, type })).data.item;
    const { headers } = await get({}, 'GET', url);
    expect(headers['content-type']).toBe(type);
    const disposition = type === 'application/pdf' ? 'attachment' : 'inline';
    expect(headers['content-disposition']).toMatch(new RegExp(`^${disposition};`));
  });

  it('returns active content as an attachment', async () => {
    const admin = await site.as('admin');
    await admin.post('/schema/collections', { slug: 'drawings', label: 'Drawings' });
    const validation = { allowedMimeTypes: ['image/svg+xml', 'text/html'] };
    const field = { slug: 'drawing', label: 'Drawing', type: 'file', validation };
    const fieldId = (await admin.post('/schema/collections/drawings/fields', field)).data.item.id;
    for (const type of validation.allowedMimeTypes) {
      const { url } = (await uploadFile(author, { bytes: `<svg>${type}</svg>`, type }, { fieldId })).data
        .item;
      const { headers } = await get({}, 'GET', url);
      expect(headers['content-disposition']).toMatch(/^attachment;/);
      expect(headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox/);
    }
  });

  it('keeps serving after a client disconnects', async () => {
    const large = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(8 * 1024 * 1024, 1)]);
    const { url } = (await uploadFile(author, { bytes: large, type: 'application/pdf' })).data.item;
    const { request } = await import('undici');
    const response = await request(site.system.origin + url, { headers: { host: site.host } });
    response.body.on('error', () => undefined).destroy();
    expect((await get({}, 'GET', url)).bytes.equals(large)).toBe(true);
  });
});

describe('GET /media/file/{key} without a file', () => {
  it.each(['01ARZ3NDEKTSV4RRFFQ69G5FAV.png', '%2e%2e%2fetc%2fpasswd', 'a%00b'])(
    'returns 400 or 404 for %s',
    async (key) => {
      const response = await author.get(`/media/file/${key}`);
      expect([400, 404]).toContain(response.status);
      expect(response.error.code).toMatch(/^(NOT_FOUND|VALIDATION_ERROR|METHOD_NOT_ALLOWED)$/);
    },
  );

  it.each(['pending', 'failed'])('returns 404 NOT_FOUND for an item that is %s', async (status) => {
    const { id, url } = (await uploadFile(author, { bytes: await createImage(), type: 'image/png' })).data
      .item;
    await site.sql('UPDATE media_items SET status = $2 WHERE id = $1', [id, status]);
    expect(statusAndCode(await site.anonymous().get(url))).toEqual([404, 'NOT_FOUND']);
  });

  it('returns an uncached 404 NOT_FOUND for a deleted item', async () => {
    const { id, url } = (await uploadFile(author, { bytes: await createImage(), type: 'image/png' })).data
      .item;
    await author.delete(`/media/${id}`);
    const response = await site.anonymous().get(url);
    expect([statusAndCode(response), response.headers.get('cache-control')]).toEqual([
      [404, 'NOT_FOUND'],
      'private, no-store',
    ]);
  });

  it('returns 404 NOT_FOUND for a file of another tenant', async () => {
    const other = await openSite();
    expect(statusAndCode(await other.anonymous().get(item.url))).toEqual([404, 'NOT_FOUND']);
    await other.close();
  });
});
