import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createImage,
  createRotatedPhoto,
  issuePaths,
  multipartForm,
  statusAndCode,
  uploadFile,
  useSite,
  type Client,
  type FormPart,
} from '@quire/testing';
import { fileAt } from './support.js';

const site = useSite();
let author: Client;
beforeAll(async () => {
  author = await site.as('author');
});

const original = async () =>
  (
    await uploadFile(
      author,
      { bytes: await createImage(), type: 'image/png', filename: 'a.png' },
      { alt: 'A' },
    )
  ).data.item;
const replace = (id: string, form: FormPart[], client = author) =>
  client.put(`/media/${id}/replace`, undefined, multipartForm(form));
const imageForm = (
  bytes: string | Uint8Array,
  { type = 'image/png', width = 30, height = 20 } = {},
): FormPart[] => [
  { name: 'file', value: bytes, filename: 'b.png', type },
  { name: 'width', value: String(width) },
  { name: 'height', value: String(height) },
];

describe('PUT /media/{id}/replace', () => {
  it('replaces the bytes under a new URL and keeps the other fields', async () => {
    const before = await original();
    const bytes = await createImage({ width: 30, height: 20 });
    const response = await replace(before.id, imageForm(bytes));
    const { item } = response.data;
    expect(response.status).toBe(200);
    const { size, width, height, contentHash, blurhash, dominantColor, updatedAt, url } = item;
    expect(item).toEqual({
      ...before,
      size,
      width,
      height,
      contentHash,
      blurhash,
      dominantColor,
      updatedAt,
      url,
    });
    expect([size, width, height]).toEqual([bytes.length, 30, 20]);
    expect(contentHash).not.toBe(before.contentHash);
    expect(url).toBe(`${before.url}?v=${contentHash.slice('sha256:'.length).slice(0, 16)}`);
    for (const path of [url, before.url]) expect((await fileAt(site, path)).bytes.equals(bytes)).toBe(true);
  });

  it.each<[string, (bytes: Buffer) => FormPart[], string]>([
    ['without a file', (bytes) => imageForm(bytes).slice(1), 'NO_FILE'],
    ['without a width', (bytes) => [imageForm(bytes)[0]!, imageForm(bytes)[2]!], 'VALIDATION_ERROR'],
    ['with another width than the file has', (bytes) => imageForm(bytes, { width: 31 }), 'VALIDATION_ERROR'],
    [
      'of more than 32 MiB with another width than the file has',
      (bytes) => imageForm(Buffer.concat([bytes, Buffer.alloc(33 * 1024 * 1024)]), { width: 31 }),
      'VALIDATION_ERROR',
    ],
    ['with an empty file', () => imageForm(''), 'VALIDATION_ERROR'],
    ['with another type', (bytes) => imageForm(bytes, { type: 'image/webp' }), 'INVALID_TYPE'],
    ['with bytes of another type', () => imageForm('GIF89a and so on'), 'INVALID_TYPE'],
  ])('returns 400 %s and changes nothing', async (_, formOf, code) => {
    const before = await original();
    const response = await replace(before.id, formOf(await createImage({ width: 30, height: 20 })));
    expect(statusAndCode(response)).toEqual([400, code]);
    if (code === 'VALIDATION_ERROR') expect(issuePaths(response)).toHaveLength(1);
    expect((await author.get(`/media/${before.id}`)).data.item).toEqual(before);
  });

  it.each([
    ['as displayed', { width: 50, height: 100 }],
    ['as stored', { width: 100, height: 50 }],
  ])('accepts a photo with EXIF rotation and its dimensions %s', async (_, dimensions) => {
    const first = { bytes: await createImage({ format: 'jpeg' }), type: 'image/jpeg' };
    const { id } = (await uploadFile(author, first)).data.item;
    const bytes = await createRotatedPhoto({ width: 100, height: 50 });
    const response = await replace(id, imageForm(bytes, { type: 'image/jpeg', ...dimensions }));
    expect(response.data?.item).toMatchObject({ width: 50, height: 100 });
  });

  it('returns 400 INVALID_TYPE for other types than JPEG, PNG and WebP', async () => {
    const { id } = (await uploadFile(author, { bytes: '%PDF-1.7\nx', type: 'application/pdf' })).data.item;
    expect(statusAndCode(await replace(id, imageForm('%PDF-1.7\ny', { type: 'application/pdf' })))).toEqual([
      400,
      'INVALID_TYPE',
    ]);
  });

  it('returns 400 INVALID_STATE for an item that is not ready', async () => {
    const body = { filename: 'a.png', contentType: 'image/png', size: 1 };
    const { mediaId } = (await author.post('/media/upload-url', body)).data;
    expect(statusAndCode(await replace(mediaId, imageForm(await createImage())))).toEqual([
      400,
      'INVALID_STATE',
    ]);
  });

  it('returns 403 to authors for an item of another user', async () => {
    const { id } = await original();
    const bytes = await createImage({ width: 30, height: 20 });
    const second = await site.another('author', 'second');
    expect(statusAndCode(await replace(id, imageForm(bytes), second))).toEqual([403, 'FORBIDDEN']);
    expect((await replace(id, imageForm(bytes), await site.as('editor'))).status).toBe(200);
  });

  it('stores the bytes of one of 2 racing requests', async () => {
    const { id } = await original();
    const images = [
      await createImage({ width: 30, height: 20 }),
      await createImage({ width: 30, height: 20 }),
    ];
    const responses = await Promise.all(images.map((bytes) => replace(id, imageForm(bytes))));
    for (const response of responses)
      if (response.status !== 200) expect(statusAndCode(response)).toEqual([409, 'INVALID_STATE']);
    expect(responses.some(({ status }) => status === 200)).toBe(true);
    const { item } = (await author.get(`/media/${id}`)).data;
    const { bytes } = await fileAt(site, item.url);
    expect(images.some((image) => image.equals(bytes))).toBe(true);
    expect(bytes.length).toBe(item.size);
  });
});
