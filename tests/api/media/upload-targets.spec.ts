import { beforeAll, describe, expect, it } from '@jest/globals';
import { identifier } from '@quire/database';
import { tenantSchema } from '@quire/tenancy';
import {
  createImage,
  createRotatedPhoto,
  deletePendingObjects,
  eventually,
  issuePaths,
  openSite,
  statusAndCode,
  uploadFile,
  useSite,
  type Client,
} from '@quire/testing';
import { fileAt } from './support.js';
import pg from 'pg';

const site = useSite();
let author: Client;
beforeAll(async () => {
  author = await site.as('author');
});

interface Announced {
  mediaId: string;
  storageKey: string;
  uploadUrl: string;
}

const announce = async (bytes: Buffer, contentType = 'image/png', client = author): Promise<Announced> =>
  (await client.post('/media/upload-url', { filename: 'photo.png', contentType, size: bytes.length })).data;
const put = (id: string, bytes: Buffer | string, type = 'image/png', client = author) =>
  client.put(`/media/${id}/upload`, undefined, { headers: { 'content-type': type }, rawBody: bytes });
const confirm = (id: string, body?: object, client = author) => client.post(`/media/${id}/confirm`, body);
const statusOf = async (id: string) => (await author.get(`/media/${id}`)).data.item.status;

describe('POST /media/upload-url', () => {
  it('creates an unlisted pending item and returns its upload target', async () => {
    const body = { filename: '../photo.PNG', contentType: 'Image/PNG; q=1', size: 100 };
    const response = await author.post('/media/upload-url', body);
    const { mediaId, uploadUrl } = response.data;
    // A store with signed URLs is another origin, which receives no header of the site.
    const isSigned = !uploadUrl.startsWith('/');
    expect(uploadUrl).toMatch(isSigned ? /^http:.*X-Amz-Signature=/ : `/_cms/api/media/${mediaId}/upload`);
    expect([response.status, response.data]).toEqual([
      200,
      {
        uploadUrl,
        method: 'PUT',
        headers: { 'Content-Type': 'image/png', ...(isSigned ? {} : { 'X-CMS-Request': '1' }) },
        mediaId: expect.any(String),
        storageKey: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}\.png$/),
        expiresAt: expect.any(String),
      },
    ]);
    const { item } = (await author.get(`/media/${mediaId}`)).data;
    expect(item).toMatchObject({
      status: 'pending',
      size: 100,
      filename: 'photo.PNG',
      mimeType: 'image/png',
    });
    expect((await author.get('/media')).data.items).toEqual([]);
  });

  it('returns an existing ready item with the same SHA-256, type and size', async () => {
    const bytes = await createImage();
    const { item } = (await uploadFile(author, { bytes, type: 'image/png' })).data;
    const known = {
      filename: 'x',
      contentType: 'image/png',
      size: bytes.length,
      contentHash: item.contentHash,
    };
    expect((await author.post('/media/upload-url', known)).data).toEqual({
      existing: true,
      mediaId: item.id,
      storageKey: item.storageKey,
      url: item.url,
    });
    for (const change of [
      { size: bytes.length + 1 },
      { contentType: 'image/webp' },
      { contentHash: `sha256:${'0'.repeat(64)}` },
      { contentHash: item.contentHash.slice('sha256:'.length) },
    ])
      expect((await author.post('/media/upload-url', { ...known, ...change })).data.existing).toBeUndefined();
    const other = await openSite();
    const theirs = await (await other.as('author')).post('/media/upload-url', known);
    expect(theirs.data.existing).toBeUndefined();
    await other.close();
  });

  it.each([
    ['filename', ''],
    ['filename', undefined],
    ['size', -1],
    ['size', 1.5],
    ['size', '1'],
    ['size', 50 * 1024 * 1024 + 1],
    ['fieldId', 'nothing'],
  ])('returns 400 for %s = %j', async (name, value) => {
    const body = { filename: 'a.png', contentType: 'image/png', size: 1, [name]: value };
    const response = await author.post('/media/upload-url', body);
    expect([statusAndCode(response), issuePaths(response)]).toEqual([[400, 'VALIDATION_ERROR'], [name]]);
  });

  it('accepts only the MIME types of the target field', async () => {
    const { admin, slug } = { admin: await site.as('admin'), slug: 'leaflets' };
    await site.collection({ slug, fields: [] });
    const field = {
      slug: 'text',
      label: 'Text',
      type: 'file',
      validation: { allowedMimeTypes: ['text/plain'] },
    };
    const fieldId = (await admin.post(`/schema/collections/${slug}/fields`, field)).data.item.id;
    const announceType = (contentType: string) =>
      author.post('/media/upload-url', { filename: 'a', contentType, size: 1, fieldId });
    expect((await announceType('text/plain')).data.mediaId).toEqual(expect.any(String));
    expect(statusAndCode(await announceType('image/png'))).toEqual([400, 'INVALID_TYPE']);
  });

  it.each(['text/html', 'image/svg+xml', 'image', '*/*'])(
    'returns 400 INVALID_TYPE for %s',
    async (contentType) => {
      const response = await author.post('/media/upload-url', { filename: 'a', contentType, size: 1 });
      expect(statusAndCode(response)).toEqual([400, 'INVALID_TYPE']);
    },
  );
});

describe('PUT /media/{id}/upload and POST /media/{id}/confirm', () => {
  it('upload, confirm and serve a file', async () => {
    const bytes = await createImage({ width: 12, height: 9 });
    const { mediaId, storageKey } = await announce(bytes);
    expect((await put(mediaId, bytes)).data).toEqual({ uploaded: true, size: bytes.length });
    expect(await statusOf(mediaId)).toBe('pending');
    const response = await confirm(mediaId, { size: bytes.length, width: 12, height: 9 });
    expect(response.data.item).toMatchObject({
      id: mediaId,
      storageKey,
      status: 'ready',
      size: bytes.length,
      width: 12,
      height: 9,
      contentHash: expect.stringMatching(/^sha256:/),
      blurhash: expect.any(String),
    });
    const file = await fileAt(site, response.data.item.url);
    expect(file.bytes.equals(bytes)).toBe(true);
    expect(await confirm(mediaId)).toMatchObject({ status: 200, data: response.data });
    expect((await uploadFile(author, { bytes, type: 'image/png' })).data).toMatchObject({
      deduplicated: true,
      item: { id: mediaId },
    });
  });

  it('confirm the last uploaded bytes, also without a body', async () => {
    const [first, second] = [
      await createImage({ width: 2, height: 2 }),
      await createImage({ width: 2, height: 2 }),
    ];
    const { mediaId } = await announce(second);
    expect((await put(mediaId, first.length === second.length ? first : second)).status).toBe(200);
    await put(mediaId, second);
    const { url } = (await confirm(mediaId)).data.item;
    expect((await fileAt(site, url)).bytes.equals(second)).toBe(true);
  });

  it('make the item ready once when 50 confirmations race', async () => {
    const bytes = await createImage();
    const { mediaId } = await announce(bytes);
    await put(mediaId, bytes);
    const responses = await Promise.all(Array.from({ length: 50 }, () => confirm(mediaId)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ data }) => data.item.updatedAt)).size).toBe(1);
    const { url } = responses[0]!.data.item;
    expect((await fileAt(site, url)).bytes.equals(bytes)).toBe(true);
  });

  it('return 400 FILE_NOT_FOUND without an upload, and set the status failed', async () => {
    const bytes = await createImage();
    const { mediaId } = await announce(bytes);
    expect(statusAndCode(await confirm(mediaId))).toEqual([400, 'FILE_NOT_FOUND']);
    expect(await statusOf(mediaId)).toBe('failed');
    expect(statusAndCode(await confirm(mediaId))).toEqual([400, 'INVALID_STATE']);
    expect(statusAndCode(await put(mediaId, bytes))).toEqual([400, 'INVALID_STATE']);
  });

  it('keep the item pending when an upload races with its confirmation', async () => {
    const bytes = await createImage();
    const { mediaId } = await announce(bytes);
    const waitForBlocked = (count: number) =>
      eventually(
        () =>
          site.sql("SELECT 1 FROM pg_locks WHERE locktype = 'tuple' AND relation = 'media_items'::regclass"),
        (rows) => rows.length === count,
      );
    const locker = new pg.Client({ connectionString: site.system.databaseUrl });
    await locker.connect();
    await locker.query('BEGIN');
    await locker.query(
      `SELECT 1 FROM ${identifier(tenantSchema({ id: site.tenant }))}.media_items WHERE id = $1 FOR UPDATE`,
      [mediaId],
    );
    const uploaded = put(mediaId, bytes);
    await waitForBlocked(1);
    const confirmed = confirm(mediaId);
    await waitForBlocked(2);
    await locker.query('COMMIT');
    await locker.end();
    expect((await uploaded).status).toBe(200);
    expect(statusAndCode(await confirmed)).toEqual([409, 'INVALID_STATE']);
    expect((await confirm(mediaId)).data.item.status).toBe('ready');
  });

  it.each([
    ['another size', { size: 1 }, 'UPLOAD_SIZE_MISMATCH'],
    ['another width', { width: 999 }, 'VALIDATION_ERROR'],
    ['another height', { height: 999 }, 'VALIDATION_ERROR'],
    ['an invalid width', { width: 0 }, 'VALIDATION_ERROR'],
  ])('return 400 and keep the item pending for %s', async (_, body, code) => {
    const bytes = await createImage();
    const { mediaId } = await announce(bytes);
    await put(mediaId, bytes);
    expect(statusAndCode(await confirm(mediaId, body))).toEqual([400, code]);
    expect(await statusOf(mediaId)).toBe('pending');
    expect((await confirm(mediaId)).status).toBe(200);
  });

  it('check the dimensions of a file of more than 32 MiB', async () => {
    const bytes = Buffer.concat([
      await createImage({ width: 12, height: 9 }),
      Buffer.alloc(33 * 1024 * 1024),
    ]);
    const { mediaId } = await announce(bytes);
    await put(mediaId, bytes);
    const response = await confirm(mediaId, { width: 13, height: 9 });
    expect([statusAndCode(response), issuePaths(response)]).toEqual([[400, 'VALIDATION_ERROR'], ['width']]);
    expect((await confirm(mediaId)).data.item).toMatchObject({ status: 'ready', width: 12, height: 9 });
  });

  it.each([
    ['as displayed', { width: 50, height: 100 }],
    ['as stored', { width: 100, height: 50 }],
    ['with one side declared', { height: 50 }],
  ])('accept a photo with EXIF rotation and its dimensions %s', async (_, dimensions) => {
    const bytes = await createRotatedPhoto({ width: 100, height: 50 });
    const { mediaId } = await announce(bytes, 'image/jpeg');
    await put(mediaId, bytes, 'image/jpeg');
    const response = await confirm(mediaId, { size: bytes.length, ...dimensions });
    expect(response.data?.item).toMatchObject({ status: 'ready', width: 50, height: 100 });
  });

  it('return 400 for a photo with EXIF rotation and two equal dimensions', async () => {
    const bytes = await createRotatedPhoto({ width: 100, height: 50 });
    const { mediaId } = await announce(bytes, 'image/jpeg');
    await put(mediaId, bytes, 'image/jpeg');
    const response = await confirm(mediaId, { width: 100, height: 100 });
    expect([response.status, response.error.details?.['issues']]).toEqual([
      400,
      [
        {
          path: 'width',
          message: 'is 50 in the file, which is 50 x 100 as it is shown and 100 x 50 as it is stored',
        },
      ],
    ]);
  });

  it('return 400 INVALID_TYPE on confirmation for content of another type', async () => {
    const bytes = Buffer.from('<!doctype html><script>');
    const { mediaId } = await announce(bytes);
    await put(mediaId, bytes);
    expect(statusAndCode(await confirm(mediaId))).toEqual([400, 'INVALID_TYPE']);
  });

  it('return 403 to authors and 200 to editors for an item of another user', async () => {
    const bytes = await createImage();
    const { mediaId } = await announce(bytes, 'image/png', await site.as('contributor'));
    expect(statusAndCode(await put(mediaId, bytes))).toEqual([403, 'FORBIDDEN']);
    expect(statusAndCode(await confirm(mediaId))).toEqual([403, 'FORBIDDEN']);
    const editor = await site.as('editor');
    expect((await put(mediaId, bytes, 'image/png', editor)).status).toBe(200);
    expect((await confirm(mediaId, undefined, editor)).status).toBe(200);
  });

  it('return 404 NOT_FOUND to another tenant', async () => {
    const bytes = await createImage();
    const { mediaId } = await announce(bytes);
    const other = await openSite();
    const theirs = await other.as('admin');
    expect(statusAndCode(await put(mediaId, bytes, 'image/png', theirs))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await confirm(mediaId, undefined, theirs))).toEqual([404, 'NOT_FOUND']);
    await other.close();
  });

  it('return 404 for an item that was not confirmed in time', async () => {
    const bytes = await createImage();
    const { mediaId } = await announce(bytes);
    await put(mediaId, bytes);
    await deletePendingObjects(site);
    expect((await author.get(`/media/${mediaId}`)).status).toBe(404);
  });

  it('return 400 INVALID_STATE after expiry', async () => {
    const bytes = await createImage();
    const { mediaId } = await announce(bytes);
    await site.sql("UPDATE media_items SET created_at = now() - interval '61 minutes' WHERE id = $1", [
      mediaId,
    ]);
    expect(statusAndCode(await put(mediaId, bytes))).toEqual([400, 'INVALID_STATE']);
  });
});

describe('PUT /media/{id}/upload', () => {
  const bytes = Buffer.alloc(1000, 7);
  it.each<[string, Buffer | string, string, [number, string]]>([
    ['no bytes', '', 'image/png', [400, 'NO_FILE']],
    ['another type', bytes, 'image/webp', [400, 'INVALID_TYPE']],
    ['JSON', '{}', 'application/json', [400, 'INVALID_TYPE']],
    ['more bytes than announced', Buffer.alloc(1001), 'image/png', [413, 'PAYLOAD_TOO_LARGE']],
    ['fewer bytes than announced', Buffer.alloc(999), 'image/png', [400, 'UPLOAD_SIZE_MISMATCH']],
  ])('rejects %s and keeps the item pending', async (_, body, type, expected) => {
    const { mediaId } = await announce(bytes);
    expect(statusAndCode(await put(mediaId, body, type))).toEqual(expected);
    expect((await put(mediaId, bytes)).status).toBe(200);
  });

  it('returns 413 for more bytes than announced without Content-Length', async () => {
    const { Readable } = await import('node:stream');
    const { mediaId } = await announce(bytes);
    const endless = Readable.from(Array.from({ length: 50 }, () => Buffer.alloc(64 * 1024)));
    const response = await author.put(`/media/${mediaId}/upload`, undefined, {
      headers: { 'content-type': 'image/png' },
      rawBody: endless,
    });
    expect(statusAndCode(response)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('returns 400 INVALID_STATE for a ready item', async () => {
    const image = await createImage();
    const { mediaId } = await announce(image);
    await put(mediaId, image);
    await confirm(mediaId);
    expect(statusAndCode(await put(mediaId, image))).toEqual([400, 'INVALID_STATE']);
  });
});
