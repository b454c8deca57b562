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
import { countRows, objectDeletions, fileAt } from './support/stored-media.js';
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

/** Items, and objects that wait for the sweep. */
const leftovers = () =>
  countRows(site, "media_items WHERE status = 'ready'", `${objectDeletions(site)} AND item_id IS NULL`);
/** What there is to be in the end: the items of now, and no object that waits, also none of the tests before. */
const nothingMore = async () => [(await leftovers())[0]!, 0];
/** Waits until that is so; what was broken off is cleared up after the client has gone. */
async function leaves(expected: number[]): Promise<void> {
  expect(await eventually(leftovers, (now) => String(now) === String(expected))).toEqual(expected);
}

/** Writes a request as it stands. @returns the status of the answer, or undefined when none came before the end */
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

describe('a wrong Content-Length', () => {
  it('larger than the body stores nothing', async () => {
    const before = await nothingMore();
    const { headers, rawBody } = formOf(pdf(300_000));
    const length = {
      'Content-Type': headers['content-type'] ?? '',
      'Content-Length': rawBody.length + 1_000,
    };
    expect(await sendRaw('POST', '/media', length, rawBody)).not.toBe(201);
    await leaves(before);
  });

  it('smaller than the body truncates the form', async () => {
    const before = await nothingMore();
    const { headers, rawBody } = formOf(pdf(300_000));
    const length = {
      'Content-Type': headers['content-type'] ?? '',
      'Content-Length': rawBody.length - 1_000,
    };
    expect(await sendRaw('POST', '/media', length, rawBody)).toBe(400);
    await leaves(before);
  });

  it.each(['-1', '1e3', '5, 6', 'many'])('%s returns 400', async (length) => {
    const { headers, rawBody } = formOf(pdf(1_000));
    const own = { 'Content-Type': headers['content-type'] ?? '', 'Content-Length': length };
    expect(await sendRaw('POST', '/media', own, rawBody)).toBe(400);
  });
});

/** Bytes without an end: a head, then the same again and again. */
const endless = (head: Uint8Array) =>
  Readable.from(
    (function* () {
      yield head;
      for (;;) yield Buffer.alloc(64 * 1024, 1);
    })(),
  );

describe('an endless body', () => {
  it('sent as a form is rejected and stores nothing', async () => {
    const before = await nothingMore();
    const { headers, rawBody } = formOf(magic);
    const head = rawBody.subarray(0, rawBody.lastIndexOf('\r\n--'));
    const response = await author.post('/media', undefined, { headers, rawBody: endless(head) });
    expect(statusAndCode(response)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    await leaves(before);
  });

  it.each([
    [
      'a file in a field that nobody knows',
      '--b\r\nContent-Disposition: form-data; name="other"; filename="x"\r\n\r\n',
    ],
    ['what stands before the first part', 'preamble'],
  ])('is refused as %s', async (_, head) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const response = await author.post('/media', undefined, { headers, rawBody: endless(Buffer.from(head)) });
    expect(statusAndCode(response)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('sent to an upload target is rejected and stores nothing', async () => {
    const before = await nothingMore();
    const announced = { filename: 'a.pdf', contentType: 'application/pdf', size: 1_000_000 };
    const { mediaId } = (await author.post('/media/upload-url', announced)).data;
    const response = await author.put(`/media/${mediaId}/upload`, undefined, {
      headers: { 'content-type': 'application/pdf' },
      rawBody: endless(magic),
    });
    expect(statusAndCode(response)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    await leaves(before);
  });
});

describe('a client that goes away', () => {
  const breakOff = async (
    send: (body: Readable) => Promise<unknown>,
    sent: Uint8Array,
    afterMs = 300,
  ): Promise<void> => {
    const body = new Readable({ read: () => undefined });
    body.push(sent);
    setTimeout(() => body.destroy(new Error('gone')), afterMs);
    await expect(send(body)).rejects.toThrow('gone');
  };

  it.each([
    ['after the file, before the end of the form', 'before the end'],
    ['in the field after the file', 'in a field'],
    ['in the thumbnail after the file', 'in a thumbnail'],
  ])('%s leaves nothing', async (_, place) => {
    const before = await nothingMore();
    const { headers, rawBody } = formOf(pdf(200_000));
    const open = rawBody.subarray(0, rawBody.lastIndexOf('--quire'));
    const more: Record<string, string> = {
      'before the end': '',
      'in a field': '--quire-test-boundary\r\nContent-Disposition: form-data; name="alt"\r\n\r\nhalf',
      'in a thumbnail':
        '--quire-test-boundary\r\nContent-Disposition: form-data; name="thumbnail"; filename="t"\r\nContent-Type: image/png\r\n\r\nhalf',
    };
    const sent = Buffer.concat([open, Buffer.from(more[place] ?? '')]);
    await breakOff((body) => author.post('/media', undefined, { headers, rawBody: body }), sent);
    await leaves(before);
  });

  it('in the middle of a replacement leaves the image as it was', async () => {
    const bytes = await createImage();
    const { item } = (await uploadFile(author, { bytes, type: 'image/png' })).data;
    const before = await nothingMore();
    const { headers, rawBody } = multipartForm([
      {
        name: 'file',
        value: await createImage({ width: 200, height: 200 }),
        filename: 'b',
        type: 'image/png',
      },
    ]);
    await breakOff(
      (body) => author.put(`/media/${item.id}/replace`, undefined, { headers, rawBody: body }),
      rawBody.subarray(0, 50_000),
    );
    await leaves(before);
    expect((await author.get(`/media/${item.id}`)).data.item).toEqual(item);
    expect((await fileAt(site, item.url)).bytes.equals(bytes)).toBe(true);
  });

  it('in the middle of an announced file leaves nothing, and the item as it was', async () => {
    const before = await nothingMore();
    const bytes = pdf(500_000);
    const announced = { filename: 'a.pdf', contentType: 'application/pdf', size: bytes.length };
    const { mediaId } = (await author.post('/media/upload-url', announced)).data;
    const headers = { 'content-type': 'application/pdf' };
    const put = (rawBody: Readable | Buffer) =>
      author.put(`/media/${mediaId}/upload`, undefined, { headers, rawBody });
    await breakOff(put, bytes.subarray(0, 250_000));
    await leaves(before);
    expect((await put(bytes)).status).toBe(200);
    expect((await author.post(`/media/${mediaId}/confirm`)).data.item.status).toBe('ready');
  });

  it('before the answer to a confirmation leaves an item that is ready, or can be confirmed', async () => {
    const bytes = await createImage({ width: 300, height: 300 });
    const announced = { filename: 'a.png', contentType: 'image/png', size: bytes.length };
    const { mediaId } = (await author.post('/media/upload-url', announced)).data;
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

describe('a polyglot file', () => {
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
  ])('as %s is served as what it was checked to be, and is nothing else', async (_, type, create) => {
    const { url } = (await uploadFile(author, { bytes: await create(), type })).data.item;
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

describe('an animation with too many frames', () => {
  it('is stored with the placeholder of its first frame', async () => {
    const bytes = await createAnimation({ pictures: 3_000, width: 4, height: 4 });
    const { item } = (await uploadFile(author, { bytes, type: 'image/gif' })).data;
    expect(item).toMatchObject({ status: 'ready', width: 4, height: 4, blurhash: expect.any(String) });
  });
});

describe('a file name', () => {
  it.each([
    ['a\u0000.png', 'a.png'],
    ['a\r\nSet-Cookie: x=1.png', 'aSet-Cookie: x=1.png'],
    ['\u2066safe\u2069gnp.exe', 'safegnp.exe'],
    ['..\\..\\windows\\system.ini', 'system.ini'],
    [`${'ü'.repeat(9_990)}.png`, `${'ü'.repeat(196)}.png`],
    ['\u200b\u200f', 'file'],
    ['CON', 'CON'],
    ['.htaccess', '.htaccess'],
  ])('%.40j is announced and kept as %.40j', async (filename, kept) => {
    const body = { filename, contentType: 'image/png', size: 10 };
    const response = await author.post('/media/upload-url', body);
    // U+0000 cannot be stored, and is refused where it can be told.
    if (filename.includes('\0')) return expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    const { item } = (await author.get(`/media/${response.data.mediaId}`)).data;
    expect(item.filename).toBe(kept);
    expect(item.storageKey).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}\.png$/);
  });

  it('with U+0000 in a form is kept without it', async () => {
    const file = { bytes: await createImage(), type: 'image/png', filename: 'a\0b.png' };
    expect((await uploadFile(author, file)).data.item.filename).toBe('ab.png');
  });
});

describe('an object key of another item', () => {
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
