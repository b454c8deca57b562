import { describe, expect, it } from '@jest/globals';
import { exampleFile, exportWith, inChunks, itemsOf, readAll } from '../export-files.fixture.js';
import { ExportFileError, normaliseEncoding } from '../index.js';

async function normalised(bytes: Uint8Array | string, chunkSize = 1 << 16): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of normaliseEncoding(inChunks(bytes, chunkSize)))
    chunks.push(Uint8Array.from(chunk));
  return Buffer.concat(chunks);
}

const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>`;
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();
const bytesOf = (text: string, ...rest: number[]) =>
  Buffer.concat([Buffer.from(text, 'latin1'), Buffer.from(rest)]);

describe('normaliseEncoding', () => {
  it.each([1, 7, 1 << 16])('leaves clean UTF-8 as it is, in chunks of %i', async (chunkSize) => {
    const bytes = exampleFile('edge-cases.xml');
    expect((await normalised(bytes, chunkSize)).equals(bytes)).toBe(true);
  });

  it('passes chunks of clean UTF-8 through without copying them', async () => {
    const chunk = Buffer.alloc(4096, 'a');
    const last = Buffer.from('b');
    async function* source(): AsyncGenerator<Uint8Array> {
      yield chunk;
      yield last;
    }
    const chunks: Uint8Array[] = [];
    for await (const part of normaliseEncoding(source())) chunks.push(part);
    expect(chunks.at(-1)?.buffer).toBe(last.buffer);
  });

  it.each([1, 3, 1 << 16])('converts every encoding, in chunks of %i', async (chunkSize) => {
    const text = 'Größe 日本 😀';
    const utf8 = Buffer.from(`${declared('UTF-8')}${text}`);
    const wide = `${declared('UTF-16')}${text}`;
    const expected = utf8.toString();
    const files = [
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), utf8]),
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(wide, 'utf16le')]),
      Buffer.concat([Buffer.from([0xfe, 0xff]), bigEndian(wide)]),
      Buffer.from(wide, 'utf16le'),
      bigEndian(wide),
    ];
    for (const file of files) expect((await normalised(file, chunkSize)).toString()).toBe(expected);
  });

  it.each([
    ['ISO-8859-1', 'Größe', [0xa4], '¤'],
    ['windows-1252', 'Größe', [0x80, 0x99], '€™'],
    ['Windows-1251', '', [0xcf, 0xf0], 'Пр'],
    ['Shift_JIS', '', [0x93, 0xfa], '日'],
  ])('converts the declared encoding %s', async (encoding, text, rest, decoded) => {
    const file = bytesOf(`${declared(encoding)}${text}`, ...rest);
    expect((await normalised(file, 1)).toString()).toBe(`${declared('UTF-8')}${text}${decoded}`);
  });

  it('replaces invalid bytes of UTF-8 and keeps the rest', async () => {
    const file = bytesOf(
      `${declared('UTF-8')}a`,
      0xff,
      0x62,
      0xe2,
      0x82,
      0x63,
      0xed,
      0xa0,
      0x80,
      0x64,
      0xe2,
      0x82,
    );
    for (const chunkSize of [1, 2, 3, 100]) {
      const text = (await normalised(file, chunkSize)).toString();
      expect(text.slice(declared('UTF-8').length)).toBe('a\ufffdb\ufffdc\ufffd\ufffd\ufffdd\ufffd');
    }
  });

  it('prefers a byte order mark to the declaration', async () => {
    const file = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(`${declared('ISO-8859-1')}ü`)]);
    expect((await normalised(file)).toString()).toBe(`${declared('ISO-8859-1')}ü`);
  });

  it('is read with the offsets of the normalised bytes', async () => {
    const file = exportWith(['<item><title>Größe</title></item>']).replace('UTF-8', 'ISO-8859-1');
    const bytes = await normalised(Buffer.from(file, 'latin1'));
    const events = await readAll(bytes);
    expect(itemsOf(events)[0]?.title).toBe('Größe');
    const [item] = events.filter((event) => event.type === 'item');
    expect(bytes.subarray(item?.offset, (item?.offset ?? 0) + (item?.length ?? 0)).toString()).toMatch(
      /^<item>.*<\/item>$/,
    );
  });

  it.each([
    ['an unknown encoding', declared('x-unknown')],
    ['a declared UTF-16 of single bytes', declared('UTF-16')],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0])],
    ['a zip archive', Buffer.from([0x50, 0x4b, 0x03, 0x04])],
    ['a gzip file', Buffer.from([0x1f, 0x8b, 0x08])],
  ])('refuses %s', async (_, file) => {
    await expect(normalised(file)).rejects.toBeInstanceOf(ExportFileError);
  });

  it('gives nothing for an empty file', async () => {
    expect(await normalised('')).toHaveLength(0);
  });
});
