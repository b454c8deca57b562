import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createAnimation,
  createImage,
  eventually,
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

const magic = Buffer.from('%PDF-1.7\n');
const pdf = (size: number) => Buffer.concat([magic, Buffer.alloc(size - magic.length, 1)]);
const formOf = (value: Uint8Array, filename = 'a.pdf') =>
  multipartForm([{ name: 'file', value, filename, type: 'application/pdf' }]);

/** Numbers of ready items and of pending deletions of objects that no item has. */
const leftovers = () =>
  countRows(site, "media_items WHERE status = 'ready'", `${objectDeletions(site)} AND item_id IS NULL`);
/** The expected leftovers after a failed upload: as many items as now, and no pending deletion. */
const expectedLeftovers = async () => [(await leftovers())[0]!, 0];
/** Waits for these leftovers: an aborted upload is cleaned up after the client has disconnected. */
async function expectLeftovers(expected: number[]): Promise<void> {
  expect(await eventually(leftovers, (now) => String(now) === String(expected))).toEqual(expected);
}

/** Sends a request with these headers and body. @returns the status; undefined if the connection closes before one */
async function sendRaw(
  method: string,
  path: string,
  headers: Record<string, string | number>,
  body: Uint8Array,
): Promise<number | undefined> {
  const { hostname, port } = new URL(site.system.origin);
  const socket = connect(Number(port), hostname);
  const all = { Host: site.host, Authorization: `Bearer ${author.token}`, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} /_cms/api${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  socket.end(body);
  let text = '';
  socket.on('data', (data: Buffer) => (text += data.toString())).on('error', () => undefined);
  await new Promise((closed) => socket.once('close', closed));
  const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
  return status === undefined ? undefined : Number(status);
}

describe('POST /media with a wrong Content-Length', () => {
  it('stores nothing when it is larger than the body', async () => {
    const before = await expectedLeftovers();
    const { headers, rawBody } = formOf(pdf(300_000));
    const length = {
      'Content-Type': headers['content-type'] ?? '',
      'Content-Length': rawBody.length + 1_000,
    };
    expect(await sendRaw('POST', '/media', length, rawBody)).not.toBe(201);
    await expectLeftovers(before);
  });

  it('returns 400 when it is smaller than the body', async () => {
    const before = await expectedLeftovers();
    const { headers, rawBody } = formOf(pdf(300_000));
    const length = {
      'Content-Type': headers['content-type'] ?? '',
      'Content-Length': rawBody.length - 1_000,
    };
    expect(await sendRaw('POST', '/media', length, rawBody)).toBe(400);
    await expectLeftovers(before);
  });

  it.each(['-1', '1e3', '5, 6', 'many'])('returns 400 for %s', async (length) => {
    const { headers, rawBody } = formOf(pdf(1_000));
    const own = { 'Content-Type': headers['content-type'] ?? '', 'Content-Length': length };
    expect(await sendRaw('POST', '/media', own, rawBody)).toBe(400);
  });
});

/** An endless stream: a head, then the same bytes repeatedly. */
const endless = (head: Uint8Array) =>
  Readable.from(
    (function* () {
      yield head;
      for (;;) yield Buffer.alloc(64 * 1024, 1);
    })(),
  );

describe('an upload with an endless body', () => {
  it('returns 413 for a form and stores nothing', async () => {
    const before = await expectedLeftovers();
    const { headers, rawBody } = formOf(magic);
    const head = rawBody.subarray(0, rawBody.lastIndexOf('\r\n--'));
    const response = await author.post('/media', undefined, { headers, rawBody: endless(head) });
    expect(statusAndCode(response)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    await expectLeftovers(before);
  });

  it.each([
    [
      'a file in an unknown field',
      '--b\r\nContent-Disposition: form-data; name="other"; filename="x"\r\n\r\n',
    ],
    ['the preamble of the form', 'preamble'],
  ])('returns 413 for %s', async (_, head) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const response = await author.post('/media', undefined, { headers, rawBody: endless(Buffer.from(head)) });
    expect(statusAndCode(response)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('returns 413 for an upload target and stores nothing', async () => {
    const before = await expectedLeftovers();
    const body = { filename: 'a.pdf', contentType: 'application/pdf', size: 1_000_000 };
    const { mediaId } = (await author.post('/media/upload-url', body)).data;
    const response = await author.put(`/media/${mediaId}/upload`, undefined, {
      headers: { 'content-type': 'application/pdf' },
      rawBody: endless(magic),
    });
    expect(statusAndCode(response)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    await expectLeftovers(before);
  });
});

describe('a client that disconnects', () => {
  const abort = async (
    send: (body: Readable) => Promise<unknown>,
    sent: Uint8Array,
    afterMs = 300,
  ): Promise<void> => {
    const body = new Readable({ read: () => undefined });
    body.push(sent);
    setTimeout(() => body.destroy(new Error('disconnected')), afterMs);
    await expect(send(body)).rejects.toThrow('disconnected');
  };

  it.each([
    ['after the file, before the end of the form', 'before the end'],
    ['in the field after the file', 'in a field'],
    ['in the thumbnail after the file', 'in a thumbnail'],
  ])('%s stores nothing', async (_, position) => {
    const before = await expectedLeftovers();
    const { headers, rawBody } = formOf(pdf(200_000));
    const open = rawBody.subarray(0, rawBody.lastIndexOf('--quire'));
    const tails: Record<string, string> = {
      'before the end': '',
      'in a field': '--quire-test-boundary\r\nContent-Disposition: form-data; name="alt"\r\n\r\nhalf',
      'in a thumbnail':
        '--quire-test-boundary\r\nContent-Disposition: form-data; name="thumbnail"; filename="t"\r\nContent-Type: image/png\r\n\r\nhalf',
    };
    const sent = Buffer.concat([open, Buffer.from(tails[position] ?? '')]);
    await abort((body) => author.post('/media', undefined, { headers, rawBody: body }), sent);
    await expectLeftovers(before);
  });

  it('in the middle of a replacement does not change the image', async () => {
    const bytes = await createImage();
    const { item } = (await uploadFile(author, { bytes, type: 'image/png' })).data;
    const before = await expectedLeftovers();
    const { headers, rawBody } = multipartForm([
      {
        name: 'file',
        value: await createImage({ width: 200, height: 200 }),
        filename: 'b',
        type: 'image/png',
      },
    ]);
    await abort(
      (body) => author.put(`/media/${item.id}/replace`, undefined, { headers, rawBody: body }),
      rawBody.subarray(0, 50_000),
    );
    await expectLeftovers(before);
    expect((await author.get(`/media/${item.id}`)).data.item).toEqual(item);
    expect((await fileAt(site, item.url)).bytes.equals(bytes)).toBe(true);
  });

  it('in the middle of an announced file stores nothing and does not change the item', async () => {
    const before = await expectedLeftovers();
    const bytes = pdf(500_000);
    const body = { filename: 'a.pdf', contentType: 'application/pdf', size: bytes.length };
    const { mediaId } = (await author.post('/media/upload-url', body)).data;
    const headers = { 'content-type': 'application/pdf' };
    const put = (rawBody: Readable | Buffer) =>
      author.put(`/media/${mediaId}/upload`, undefined, { headers, rawBody });
    await abort(put, bytes.subarray(0, 250_000));
    await expectLeftovers(before);
    expect((await put(bytes)).status).toBe(200);
    expect((await author.post(`/media/${mediaId}/confirm`)).data.item.status).toBe('ready');
  });

  it('before the response to a confirmation leaves a ready or confirmable item', async () => {
    const bytes = await createImage({ width: 300, height: 300 });
    const body = { filename: 'a.png', contentType: 'image/png', size: bytes.length };
    const { mediaId } = (await author.post('/media/upload-url', body)).data;
    const headers = { 'content-type': 'image/png' };
    await author.put(`/media/${mediaId}/upload`, undefined, { headers, rawBody: bytes });
    const { hostname, port } = new URL(site.system.origin);
    for (let round = 0; round < 5; round += 1) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.write(
        `POST /_cms/api/media/${mediaId}/confirm HTTP/1.1\r\nHost: ${site.host}\r\nAuthorization: Bearer ${author.token}\r\n\r\n`,
      );
      await new Promise((done) => setTimeout(done, round * 15));
      socket.destroy();
    }
    const { url } = (await author.post(`/media/${mediaId}/confirm`)).data.item;
    expect((await fileAt(site, url)).bytes.equals(bytes)).toBe(true);
  });
});

describe('GET /media/file/{key} of a polyglot file', () => {
  it.each<[string, string, () => Promise<Buffer>]>([
    [
      'a GIF and a script',
      'image/gif',
      async () => Buffer.concat([await createImage({ format: 'gif' }), Buffer.from('*/=1;alert(1)')]),
    ],
    [
      'a PNG and a page',
      'image/png',
      async () => Buffer.concat([await createImage(), Buffer.from('<script>alert(1)</script>')]),
    ],
    [
      'a PDF and an archive',
      'application/pdf',
      async () => Buffer.concat([magic, Buffer.from('PK\x03\x04 and so on', 'latin1')]),
    ],
    [
      'a JPEG and a page in its comment',
      'image/jpeg',
      async () => {
        const jpeg = await createImage({ format: 'jpeg' });
        const comment = Buffer.from('<html><script>alert(1)</script>');
        const marker = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
        return Buffer.concat([jpeg.subarray(0, 2), marker, comment, jpeg.subarray(2)]);
      },
    ],
  ])('returns %s only with its verified type', async (_, type, createFile) => {
    const { url } = (await uploadFile(author, { bytes: await createFile(), type })).data.item;
    const { headers } = await fileAt(site, url);
    expect(headers).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
    });
    if (!type.startsWith('image/')) return;
    const { bytes } = await fileAt(site, `${url}?w=64&format=webp`);
    expect((await sharp(bytes).metadata()).format).toBe('webp');
    expect(bytes.includes('alert(1)')).toBe(false);
  });
});

describe('POST /media with an animation of 3000 frames', () => {
  it('stores it with the placeholder of its first frame', async () => {
    const bytes = await createAnimation({ pictures: 3_000, width: 4, height: 4 });
    const { item } = (await uploadFile(author, { bytes, type: 'image/gif' })).data;
    expect(item).toMatchObject({ status: 'ready', width: 4, height: 4, blurhash: expect.any(String) });
  });
});

describe('the file name of an upload', () => {
  it.each([
    ['a\u0000.png', 'a.png'],
    ['a\r\nSet-Cookie: x=1.png', 'aSet-Cookie: x=1.png'],
    ['\u2066safe\u2069gnp.exe', 'safegnp.exe'],
    ['..\\..\\windows\\system.ini', 'system.ini'],
    [`${'ü'.repeat(9_990)}.png`, `${'ü'.repeat(196)}.png`],
    ['\u200b\u200f', 'file'],
    ['CON', 'CON'],
    ['.htaccess', '.htaccess'],
  ])('%.40j is stored as %.40j', async (filename, stored) => {
    const body = { filename, contentType: 'image/png', size: 10 };
    const response = await author.post('/media/upload-url', body);
    // U+0000 cannot be stored. JSON bodies that contain it are rejected.
    if (filename.includes('\0')) return expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    const { item } = (await author.get(`/media/${response.data.mediaId}`)).data;
    expect(item.filename).toBe(stored);
    expect(item.storageKey).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}\.png$/);
  });

  it('with U+0000 in a form is stored without it', async () => {
    const file = { bytes: await createImage(), type: 'image/png', filename: 'a\0b.png' };
    expect((await uploadFile(author, file)).data.item.filename).toBe('ab.png');
  });
});

describe('the object key of another item', () => {
  it('cannot be used in a URL, an upload or a confirmation', async () => {
    const other = await openSite();
    const theirs = await other.as('author');
    const { item } = (await uploadFile(theirs, { bytes: await createImage(), type: 'image/png' })).data;
    const [{ objectKey } = { objectKey: '' }] = await other.sql<{ objectKey: string }>(
      'SELECT object_key AS "objectKey" FROM media_items WHERE id = $1',
      [item.id],
    );
    for (const key of [item.storageKey, objectKey, encodeURIComponent(objectKey), `../${objectKey}`])
      expect((await author.get(`/media/file/${key}`)).status).toBe(404);
    for (const path of [item.id, encodeURIComponent(objectKey)]) {
      expect(statusAndCode(await author.post(`/media/${path}/confirm`))).toEqual([404, 'NOT_FOUND']);
      const options = { headers: { 'content-type': 'image/png' }, rawBody: await createImage() };
      expect(statusAndCode(await author.put(`/media/${path}/upload`, undefined, options))).toEqual([
        404,
        'NOT_FOUND',
      ]);
    }
    expect((await theirs.get(`/media/${item.id}`)).data.item).toEqual(item);
    await other.close();
  });
});
