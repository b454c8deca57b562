import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createImage,
  createRotatedPhoto,
  eventually,
  issuePaths,
  multipartForm,
  openSite,
  statusAndCode,
  uploadFile,
  useSite,
  type Client,
  type FormPart,
} from '@quire/testing';
import { countRows, objectDeletions } from './support.js';

const site = useSite();
let author: Client;
beforeAll(async () => {
  author = await site.as('author');
});

const send = (form: FormPart[], client = author) => client.post('/media', undefined, multipartForm(form));
const png = async (filename = 'photo.png') => ({ bytes: await createImage(), type: 'image/png', filename });
const pdf = (text: string) => ({
  bytes: `%PDF-1.7\n${text}`,
  type: 'application/pdf',
  filename: 'paper.pdf',
});

/** Numbers of items and of pending object deletions. */
const leftovers = () => countRows(site, 'media_items', objectDeletions(site));

describe('POST /media', () => {
  it('returns 201 with the ready item and its detected metadata', async () => {
    const bytes = await createImage({ width: 31, height: 17 });
    const response = await uploadFile(author, { bytes, type: 'image/png', filename: 'photo.png' });
    expect(response.status).toBe(201);
    const { item } = response.data;
    expect(item).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      filename: 'photo.png',
      mimeType: 'image/png',
      size: bytes.length,
      width: 31,
      height: 17,
      alt: null,
      caption: null,
      storageKey: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}\.png$/),
      status: 'ready',
      contentHash: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
      blurhash: expect.stringMatching(/^.{28}$/),
      dominantColor: expect.stringMatching(/^#[0-9a-f]{6}$/),
      folderId: null,
      authorId: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      url: `/_cms/api/media/file/${item.storageKey}`,
    });
    expect((await author.get(`/media/${item.id}`)).data).toEqual({ item });
    expect((await author.get('/media')).data.items[0]).toEqual(item);
  });

  it.each(['before', 'after'])('accepts fields %s the file', async (position) => {
    const folder = (await (await site.as('editor')).post('/media/folders', { name: `Fields ${position}` }))
      .data.item;
    const { bytes, ...file } = await png();
    const values = { width: '640', height: '480', alt: 'A photo', caption: 'Taken', folderId: folder.id };
    const fields: FormPart[] = Object.entries(values).map(([name, value]) => ({ name, value }));
    const part = { name: 'file', value: bytes, ...file };
    const response = await send(position === 'before' ? [...fields, part] : [part, ...fields]);
    expect(response.status).toBe(201);
    expect(response.data.item).toMatchObject({ ...values, width: 640, height: 480 });
  });

  it.each(['jpeg', 'webp', 'gif'] as const)('reads the dimensions of a %s', async (format) => {
    const bytes = await createImage({ format, width: 20, height: 10 });
    const { item } = (await uploadFile(author, { bytes, type: `image/${format}` })).data;
    expect([item.mimeType, item.width, item.height]).toEqual([`image/${format}`, 20, 10]);
  });

  it.each([
    ['without declared dimensions', {}],
    ['with the displayed dimensions', { width: '50', height: '100' }],
    ['with the stored dimensions', { width: '100', height: '50' }],
    ['with one declared side', { width: '100' }],
  ])('stores the displayed dimensions of a photo with EXIF rotation %s', async (_, declared) => {
    const bytes = await createRotatedPhoto({ width: 100, height: 50 });
    const { item } = (await uploadFile(author, { bytes, type: 'image/jpeg' }, declared)).data;
    expect([item.width, item.height]).toEqual([50, 100]);
  });

  it('creates the placeholder from a submitted thumbnail', async () => {
    const red = await createImage({ width: 1, height: 1 });
    const plain = (await uploadFile(author, { bytes: red, type: 'image/png' })).data.item;
    const response = await send([
      { name: 'thumbnail', value: red, filename: 't.png', type: 'image/png' },
      { name: 'file', value: 'RIFF....WAVEfmt anything', filename: 'a.avi', type: 'video/x-anything' },
    ]);
    expect(response.data.item).toMatchObject({
      width: null,
      blurhash: plain.blurhash,
      dominantColor: plain.dominantColor,
    });
  });

  it('stores an undecodable image without dimensions and placeholder', async () => {
    const broken = Buffer.concat([(await createImage()).subarray(0, 40), Buffer.from(String(Math.random()))]);
    const { item } = (await uploadFile(author, { bytes: broken, type: 'image/png' })).data;
    expect([item.status, item.blurhash, item.dominantColor]).toEqual(['ready', null, null]);
  });

  it('does not decode an image above the pixel limit', async () => {
    const bomb = await createImage({ width: 4, height: 4 });
    // The header declares 60000 x 60000 pixels. Its checksum is wrong too, but the limit applies before it is verified.
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    const { item } = (await uploadFile(author, { bytes: bomb, type: 'image/png' })).data;
    expect([item.status, item.blurhash]).toEqual(['ready', null]);
  });

  it.each([
    ['../../etc/passwd.png', 'passwd.png'],
    ['C:\\\\temp\\\\photo.png', 'photo.png'],
    ['\u202egnp.exe', 'gnp.exe'],
    // Browsers escape quotation marks and line breaks like this, and nothing else.
    ['my %22best%22 photo.png', 'my "best" photo.png'],
    ['two%0D%0Alines.png', 'twolines.png'],
    ['100%25 %2F%2522 %0a.png', '100%25 %2F%2522 %0a.png'],
    ['my %22best%22 photo.png', 'my "best" photo.png'],
    ['two%0D%0Alines.png', 'twolines.png'],
    ['100%25 %2F%2522 %0a.png', '100%25 %2F%2522 %0a.png'],
    ['Ünï \u{1F5BC}.png', 'Ünï \u{1F5BC}.png'],
    [`${'a'.repeat(10_000)}.png`, `${'a'.repeat(196)}.png`],
    ['..', 'file'],
  ])('stores the name %.40j as %.40j', async (filename, stored) => {
    expect((await uploadFile(author, await png(filename))).data.item.filename).toBe(stored);
  });

  it('stores a media type in lower case without parameters', async () => {
    const file = { ...pdf('parameters'), type: 'Application/PDF; version=1.7' };
    expect((await uploadFile(author, file)).data.item.mimeType).toBe('application/pdf');
  });
});

describe('POST /media with the bytes of another item', () => {
  it('returns 200 with the existing item unchanged', async () => {
    const file = await png('first.png');
    const first = (await uploadFile(author, file, { alt: 'First' })).data.item;
    const again = await uploadFile(
      await site.as('contributor'),
      { ...file, filename: 'b.png' },
      { alt: 'B' },
    );
    expect(again.status).toBe(200);
    expect(again.data).toEqual({ item: first, deduplicated: true });
  });

  it('creates one item and one object when 20 uploads race', async () => {
    const before = await leftovers();
    const file = pdf(`race ${Math.random()}`);
    const responses = await Promise.all(Array.from({ length: 20 }, () => uploadFile(author, file)));
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(responses.map(({ data }) => data.item.id)).size).toBe(1);
    expect(await leftovers()).toEqual([before[0]! + 1, before[1]]);
  });

  it('creates a new item after the first one was deleted', async () => {
    const file = pdf(`deleted ${Math.random()}`);
    const first = (await uploadFile(author, file)).data.item;
    await author.delete(`/media/${first.id}`);
    const again = await uploadFile(author, file);
    expect([again.status, again.data.item.id === first.id]).toEqual([201, false]);
  });

  it('creates an item per tenant', async () => {
    const other = await openSite();
    const file = pdf('two tenants');
    const [mine, theirs] = [await uploadFile(author, file), await uploadFile(await other.as('author'), file)];
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(mine.data.item.id).not.toBe(theirs.data.item.id);
    await other.close();
  });
});

describe('POST /media with an invalid upload', () => {
  let before: number[];
  beforeAll(async () => {
    before = await leftovers();
  });
  afterAll(async () => {
    expect(await leftovers()).toEqual(before);
  });

  const file: FormPart = {
    name: 'file',
    value: '%PDF-1.7\nrejected',
    filename: 'a.pdf',
    type: 'application/pdf',
  };
  const image = (value: string | Uint8Array, type: string): FormPart[] => [
    { name: 'file', value, filename: 'x', type },
  ];

  it.each<[string, FormPart[]]>([
    ['a form without parts', []],
    ['a form without files', [{ name: 'alt', value: 'x' }]],
    ['a file in another field', [{ ...file, name: 'upload' }]],
    ['a file field without a file', [{ name: 'file', value: 'text' }]],
    [
      'a form without a selected file',
      [{ name: 'file', value: '', filename: '', type: 'application/octet-stream' }],
    ],
  ])('returns 400 NO_FILE for %s', async (_, form) => {
    expect(statusAndCode(await send(form))).toEqual([400, 'NO_FILE']);
  });

  it('returns 400 NO_FILE without a body', async () => {
    expect(statusAndCode(await author.post('/media'))).toEqual([400, 'NO_FILE']);
  });

  it.each<[string, FormPart[], string]>([
    ['two files', [file, { ...file, value: '%PDF-1.7\nother' }], 'file'],
    ['an empty file', [{ ...file, value: '' }], 'file'],
    ['a width of the wrong type', [file, { name: 'width', value: 'wide' }], 'width'],
    ['a height of 0', [file, { name: 'height', value: '0' }], 'height'],
    ['a width above the range of the column', [file, { name: 'width', value: '3000000000' }], 'width'],
    ['an alt text of 2001 letters', [file, { name: 'alt', value: 'a'.repeat(2001) }], 'alt'],
    ['an alt text with U+0000', [file, { name: 'alt', value: 'a\0' }], 'alt'],
    ['a field of 65 KiB', [file, { name: 'caption', value: 'a'.repeat(65 * 1024) }], 'caption'],
    ['an unknown fieldId', [file, { name: 'fieldId', value: 'nothing' }], 'fieldId'],
    [
      'a thumbnail of more than 512 KiB',
      [{ name: 'thumbnail', value: Buffer.alloc(512 * 1024 + 1), filename: 't', type: 'image/png' }, file],
      'thumbnail',
    ],
    ['100000 parts', Array.from({ length: 100_000 }, () => ({ name: 'a', value: '' })), ''],
  ])('returns 400 VALIDATION_ERROR for %s', async (_, form, path) => {
    const response = await send(form);
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual([path]);
  });

  it.each([
    ['HTML as a PNG', '<!doctype html><script>alert(1)</script>', 'image/png'],
    ['a PDF as a JPEG', '%PDF-1.7\n', 'image/jpeg'],
    ['a program as a video', 'MZ\x90\0\x03\0\0\0', 'video/mp4'],
    ['text as a PDF', 'hello', 'application/pdf'],
    ['a GIF with a script, as a PNG', 'GIF89a/*', 'image/png'],
    ['a malformed type', '%PDF-1.7\n', 'pdf'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['HTML', '<!doctype html>', 'text/html'],
    ['text', 'hello', 'text/plain'],
  ])('returns 400 INVALID_TYPE for %s', async (_, value, type) => {
    expect(statusAndCode(await send(image(value, type)))).toEqual([400, 'INVALID_TYPE']);
  });

  it('returns 404 NOT_FOUND for an unknown folder', async () => {
    const response = await send([file, { name: 'folderId', value: 'nothing' }]);
    expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
  });

  it.each([
    ['a truncated form', (whole: Buffer) => whole.subarray(0, -20)],
    ['a form truncated in a header', (whole: Buffer) => whole.subarray(0, 50)],
    ['a body that is not a form', () => Buffer.from('anything')],
  ])('returns 400 VALIDATION_ERROR for %s', async (_, cut) => {
    const { headers, rawBody } = multipartForm([file]);
    const response = await author.post('/media', undefined, { headers, rawBody: cut(rawBody) });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
  });

  it.each([
    ['JSON', { 'content-type': 'application/json' }],
    ['a URL-encoded form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['multipart/mixed', { 'content-type': 'multipart/mixed; boundary=x' }],
  ])('returns 415 for %s', async (_, headers) => {
    const response = await author.post('/media', undefined, { headers, rawBody: '{}' });
    expect(statusAndCode(response)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('returns 400 VALIDATION_ERROR without a boundary', async () => {
    const headers = { 'content-type': 'multipart/form-data' };
    const response = await author.post('/media', undefined, { headers, rawBody: 'x' });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('POST /media with a file above the size limit', () => {
  const limit = 50 * 1024 * 1024;
  const head = multipartForm([{ name: 'file', value: '', filename: 'a.pdf', type: 'application/pdf' }]);
  const open = head.rawBody.subarray(0, head.rawBody.lastIndexOf('\r\n--'));
  const close = head.rawBody.subarray(head.rawBody.lastIndexOf('\r\n--'));
  const magic = Buffer.from('%PDF-1.7\n');
  const pdfOf = (bytes: number) => Buffer.concat([open, magic, Buffer.alloc(bytes - magic.length, 1), close]);
  const post = (rawBody: Buffer | Readable) =>
    author.post('/media', undefined, { headers: head.headers, rawBody });

  it.each([
    ['with Content-Length', (whole: Buffer) => whole],
    ['without Content-Length', (whole: Buffer) => Readable.from([whole])],
  ])('returns 413 %s and stores nothing', async (_, body) => {
    const before = await leftovers();
    for (const size of [limit + 1, limit + 3 * 1024 * 1024])
      expect(statusAndCode(await post(body(pdfOf(size))))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(await leftovers()).toEqual(before);
  });

  it('accepts a file of exactly the limit', async () => {
    expect((await post(pdfOf(limit))).data.item.size).toBe(limit);
  });
});

describe('a client that disconnects during POST /media', () => {
  it.each([
    ['before the file', 20],
    ['in the middle of the file', 400_000],
  ])('%s stores nothing', async (_, length) => {
    const before = await leftovers();
    const value = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(800_000, 2)]);
    const { headers, rawBody } = multipartForm([
      { name: 'file', value, filename: 'a', type: 'application/pdf' },
    ]);
    const body = new Readable({ read: () => undefined });
    body.push(rawBody.subarray(0, length));
    setTimeout(() => body.destroy(new Error('disconnected')), 300);
    await expect(author.post('/media', undefined, { headers, rawBody: body })).rejects.toThrow(
      'disconnected',
    );
    const now = await eventually(leftovers, (counts) => String(counts) === String(before));
    expect(now).toEqual(before);
  });
});

describe('POST /media with fieldId', () => {
  let fieldId: string;
  beforeAll(async () => {
    const admin = await site.as('admin');
    await admin.post('/schema/collections', { slug: 'downloads', label: 'Downloads' });
    const created = await admin.post('/schema/collections/downloads/fields', {
      slug: 'sheet',
      label: 'Sheet',
      type: 'file',
      validation: { allowedMimeTypes: ['text/csv', 'image/svg+xml'] },
    });
    fieldId = created.data.item.id;
  });

  it.each([
    ['text/csv', 'a;b\n1;2\n'],
    ['image/svg+xml', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
  ])('accepts %s when the field allows it', async (type, bytes) => {
    const response = await uploadFile(author, { bytes, type }, { fieldId });
    expect([response.status, response.data.item.mimeType]).toEqual([201, type]);
  });

  it('returns 400 INVALID_TYPE for a type that the field does not allow', async () => {
    expect(statusAndCode(await uploadFile(author, await png(), { fieldId }))).toEqual([400, 'INVALID_TYPE']);
  });

  it('returns 400 for a field of another tenant', async () => {
    const other = await openSite();
    const response = await uploadFile(await other.as('author'), await png(), { fieldId });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    await other.close();
  });
});
