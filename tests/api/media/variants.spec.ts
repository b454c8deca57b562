import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createAnimation,
  createImage,
  issuePaths,
  multipartForm,
  openSite,
  statusAndCode,
  uploadFile,
  useSite,
  type Client,
} from '@quire/testing';
import { countRows, fileAt, objectDeletions } from './support.js';
import sharp from 'sharp';

const site = useSite();
let author: Client;
beforeAll(async () => {
  author = await site.as('author');
});

interface Uploaded {
  id: string;
  url: string;
}
const upload = async (bytes: Buffer | string, type = 'image/png', filename = 'a.png'): Promise<Uploaded> =>
  (await uploadFile(author, { bytes, type, filename })).data.item;
const get = (url: string, query: string, headers: Record<string, string> = {}) =>
  fileAt(site, `${url}?${query}`, { headers });
/** The same with a token: some variants are not public. */
const getAsReader = (url: string, query: string) =>
  get(url, query, { authorization: `Bearer ${author.token}` });
const metadataOf = async (bytes: Buffer) => {
  const { format, width, height, pages = 1 } = await sharp(bytes).metadata();
  return { format, width, height, pages };
};
/** Numbers of stored variants and of pending object deletions. */
const counts = () => countRows(site, 'media_variants WHERE object_key IS NOT NULL', objectDeletions(site));

describe('GET /media/file/{key} with w, format and q', () => {
  let image: Uploaded;
  beforeAll(async () => {
    image = await upload(await createImage({ width: 300, height: 150 }), 'image/png', 'Photo of us.PNG');
  });

  it.each([
    ['w=64', { format: 'png', width: 64, height: 32 }],
    ['w=128&format=webp', { format: 'webp', width: 128, height: 64 }],
    ['w=128&format=jpeg&q=50', { format: 'jpeg', width: 128, height: 64 }],
    ['w=64&format=avif', { format: 'heif', width: 64, height: 32 }],
    ['format=webp&q=90', { format: 'webp', width: 300, height: 150 }],
    ['w=2560', { format: 'png', width: 300, height: 150 }],
  ])('returns a variant for %s, never larger than the original', async (query, expected) => {
    const response = await getAsReader(image.url, query);
    expect(response.status).toBe(200);
    expect(await metadataOf(response.bytes)).toMatchObject(expected);
  });

  it('returns a variant with its own type, length, name and ETag, and immutable caching', async () => {
    const { headers, bytes } = await get(image.url, 'w=64&format=webp');
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(bytes.length),
      'content-disposition': `inline; filename="Photo of us.webp"; filename*=UTF-8''Photo%20of%20us.webp`,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      etag: expect.stringMatching(/^"[^"]+"$/),
    });
    expect(headers['etag']).not.toBe((await get(image.url, '')).headers['etag']);
    const again = await get(image.url, 'w=64&format=webp', { 'if-none-match': String(headers['etag']) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  it('supports ranges and HEAD', async () => {
    const whole = await get(image.url, 'w=64');
    const part = await get(image.url, 'w=64', { range: 'bytes=0-7' });
    expect([part.status, part.bytes.equals(whole.bytes.subarray(0, 8))]).toEqual([206, true]);
    const head = await fileAt(site, `${image.url}?w=64`, { method: 'HEAD' });
    expect([head.status, head.headers['content-length']]).toEqual([200, String(whole.bytes.length)]);
  });

  it('creates a variant once when 12 requests race', async () => {
    const { url } = await upload(await createImage({ width: 200, height: 200 }));
    const before = await counts();
    const responses = await Promise.all(Array.from({ length: 12 }, () => get(url, 'w=128&format=webp')));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ headers }) => headers['etag'])).size).toBe(1);
    expect(await counts()).toEqual([before[0]! + 1, before[1]]);
  });

  it('returns a variant rotated by EXIF, without metadata', async () => {
    const rotated = await sharp(await createImage({ width: 200, height: 100, format: 'jpeg' }))
      .withExif({ IFD0: { Copyright: 'Ann' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { url } = await upload(rotated, 'image/jpeg');
    const { bytes } = await get(url, 'w=64');
    expect(await metadataOf(bytes)).toMatchObject({ format: 'jpeg', width: 64, height: 128 });
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
  });

  it.each([
    ['w', '65'],
    ['w', '0'],
    ['w', '-64'],
    ['w', '64.0'],
    ['w', ''],
    ['format', 'gif'],
    ['format', 'svg'],
    ['q', '76'],
    ['q', '1e1'],
  ])('returns 400 naming the parameter for %s=%s', async (name, value) => {
    const response = await site.anonymous().get(`${image.url}?${name}=${value}`);
    expect([statusAndCode(response), issuePaths(response)]).toEqual([[400, 'VALIDATION_ERROR'], [name]]);
  });

  it('returns the original file for unknown parameters', async () => {
    expect((await get(image.url, 'v=1&width=7')).bytes.equals((await get(image.url, '')).bytes)).toBe(true);
  });

  it('returns 404 after the image was deleted', async () => {
    const { id, url } = await upload(await createImage({ width: 100, height: 100 }));
    const before = await counts();
    await get(url, 'w=64');
    await get(url, 'w=64&format=webp');
    expect(await counts()).toEqual([before[0]! + 2, before[1]]);
    await author.delete(`/media/${id}`);
    expect(await counts()).toEqual(before);
    expect((await get(url, 'w=64')).status).toBe(404);
  });

  it('returns a new variant after the image was replaced', async () => {
    const { id, url } = await upload(await createImage({ width: 100, height: 100 }));
    const before = await counts();
    const former = await get(url, 'w=64');
    const form = multipartForm([
      {
        name: 'file',
        value: await createImage({ width: 100, height: 50 }),
        filename: 'b.png',
        type: 'image/png',
      },
      { name: 'width', value: '100' },
      { name: 'height', value: '50' },
    ]);
    const { item } = (await author.put(`/media/${id}/replace`, undefined, form)).data;
    expect(await counts()).toEqual(before);
    const query = `${new URL(item.url, 'http://x').search.slice(1)}&w=64`;
    for (const again of [await get(url, 'w=64'), await get(url, query)]) {
      expect(await metadataOf(again.bytes)).toMatchObject({ width: 64, height: 32 });
      expect(again.headers['etag']).not.toBe(former.headers['etag']);
    }
  });

  it('returns 404 NOT_FOUND for a pending image and for one of another tenant', async () => {
    const { id, url } = await upload(await createImage());
    const other = await openSite();
    expect(statusAndCode(await other.anonymous().get(`${url}?w=64`))).toEqual([404, 'NOT_FOUND']);
    await other.close();
    await site.sql("UPDATE media_items SET status = 'pending' WHERE id = $1", [id]);
    expect(statusAndCode(await site.anonymous().get(`${url}?w=64`))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('GET /media/file/{key} with w and format for an animation', () => {
  it.each(['gif', 'webp'] as const)(
    'returns an animated WebP and still images in other formats for %s',
    async (format) => {
      const { url } = await upload(
        await createAnimation({ pictures: 3, width: 100, height: 50, format }),
        `image/${format}`,
      );
      const animated = { format: 'webp', pages: 3, width: 64, height: 32 };
      expect(await metadataOf((await get(url, 'w=64')).bytes)).toEqual(animated);
      expect(await metadataOf((await get(url, 'w=64&format=webp')).bytes)).toEqual(animated);
      const still = { pages: 1, width: 64, height: 32 };
      expect(await metadataOf((await getAsReader(url, 'w=64&format=png')).bytes)).toMatchObject(still);
      expect(await metadataOf((await getAsReader(url, 'w=64&format=jpeg')).bytes)).toMatchObject(still);
    },
  );

  it.each([
    ['frames', { pictures: 501, width: 2, height: 2 }],
    ['pixels in all', { pictures: 26, width: 1000, height: 1000 }],
  ])('returns the first frame for too many %s', async (_, size) => {
    const { url } = await upload(await createAnimation(size), 'image/gif');
    expect(await metadataOf((await get(url, 'w=64&format=webp')).bytes)).toMatchObject({ pages: 1 });
  });
});

describe('GET /media/file/{key} with w returns 400', () => {
  it.each([
    ['a document', '%PDF-1.7\nno image', 'application/pdf', 'a.pdf'],
    ['a film', 'RIFF....AVI LIST', 'video/x-anything', 'a.avi'],
  ])('for %s', async (_, bytes, type, filename) => {
    const { url } = await upload(bytes, type, filename);
    const response = await site.anonymous().get(`${url}?format=webp&w=64`);
    expect([statusAndCode(response), issuePaths(response)]).toEqual([
      [400, 'VALIDATION_ERROR'],
      ['w', 'format'],
    ]);
  });

  it('for an SVG', async () => {
    const admin = await site.as('admin');
    await admin.post('/schema/collections', { slug: 'drawings', label: 'Drawings' });
    const validation = { allowedMimeTypes: ['image/svg+xml'] };
    const field = { slug: 'drawing', label: 'Drawing', type: 'file', validation };
    const fieldId = (await admin.post('/schema/collections/drawings/fields', field)).data.item.id;
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    const { url } = (await uploadFile(author, { bytes: drawing, type: 'image/svg+xml' }, { fieldId })).data
      .item;
    expect(statusAndCode(await site.anonymous().get(`${url}?w=64`))).toEqual([400, 'VALIDATION_ERROR']);
    expect((await get(url, '')).headers['content-disposition']).toMatch(/^attachment;/);
  });

  it('for an image that declares too many pixels and for a corrupt one', async () => {
    const bomb = await createImage({ width: 4, height: 4 });
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    const broken = (await createImage({ width: 50, height: 50 })).subarray(0, 200);
    for (const bytes of [bomb, broken]) {
      const { url } = await upload(bytes);
      const before = await counts();
      expect(statusAndCode(await site.anonymous().get(`${url}?w=64`))).toEqual([400, 'VALIDATION_ERROR']);
      expect(await counts()).toEqual(before);
    }
  });

  it('for an image with too many pixels, and keeps running', async () => {
    const large = await sharp({
      create: { width: 8_000, height: 8_000, channels: 3, background: '#123456' },
    })
      .png({ compressionLevel: 9 })
      .toBuffer();
    const { url } = await upload(large);
    expect(statusAndCode(await site.anonymous().get(`${url}?w=64&format=webp`))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    expect((await get(url, '')).bytes.equals(large)).toBe(true);
  });
});

describe('GET /media/providers', () => {
  it('returns the local library', async () => {
    const response = await author.get('/media/providers');
    expect(response.data).toEqual({ items: [{ id: 'local', name: 'Media library' }] });
  });
});
