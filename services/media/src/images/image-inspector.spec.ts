import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createAnimation, createImage, createRotatedPhoto } from '@quire/testing';
import { maxDecodableBytes } from './image-limits.js';
import { ImageProcesses } from './image-processes.js';
import { ImageInspector } from './image-inspector.js';

const processes = new ImageProcesses({ warn: () => undefined });
const images = new ImageInspector(processes);
afterAll(() => processes.close());

/** Inspects a file with this head and size. @returns the properties, and the opened ranges */
async function read(mimeType: string, start: Buffer, size = start.length, thumbnail?: Buffer) {
  let opened = 0;
  const file = Buffer.concat([start, Buffer.alloc(Math.max(0, size - start.length))]);
  const open = (range?: { start: number; end: number }) => {
    const part = range ? file.subarray(range.start, range.end + 1) : file;
    opened += part.length;
    return Promise.resolve(Readable.from([part]));
  };
  return { found: await images.read('a tenant', { mimeType, size, open }, thumbnail), opened };
}

const nothing = { width: null, height: null, isRotated: false, blurhash: null, dominantColor: null };
const large = maxDecodableBytes + 1;

describe('a file that is too large to be decoded', () => {
  it('has the upright dimensions of its head, and no placeholder', async () => {
    const turned = await createRotatedPhoto({ width: 30, height: 20 });
    const { found, opened } = await read('image/jpeg', turned, large);
    expect(found).toEqual({ ...nothing, width: 20, height: 30, isRotated: true });
    expect(opened).toBeLessThan(1024 * 1024);
  });

  it('has the placeholder of its thumbnail', async () => {
    const start = await createImage({ width: 30, height: 20 });
    const { found } = await read('image/png', start, large, await createImage());
    expect(found).toEqual({
      width: 30,
      height: 20,
      isRotated: false,
      blurhash: expect.any(String),
      dominantColor: expect.any(String),
    });
  });

  it('has no dimensions if its head has none', async () => {
    const start = await createImage({ format: 'webp' });
    expect((await read('image/webp', start.subarray(0, 20), large)).found).toEqual(nothing);
  });
});

describe('the decoders', () => {
  const found = { width: 30, height: 20, blurhash: expect.any(String), dominantColor: expect.any(String) };

  it.each(['png', 'jpeg', 'webp', 'gif', 'avif', 'tiff'] as const)('read %s', async (format) => {
    const image = await createImage({ width: 30, height: 20, format });
    expect((await read(`image/${format}`, image)).found).toMatchObject(found);
  });

  it('read the first frame of an animation', async () => {
    const image = await createAnimation({ pictures: 3, width: 30, height: 20 });
    expect((await read('image/gif', image)).found).toMatchObject(found);
  });

  it.each([
    [
      'an SVG',
      '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><rect width="9" height="9"/></svg>',
    ],
    ['a PDF', '%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer<</Root 1 0 R>>'],
    ['a PPM', 'P3\n1 1\n255\n1 2 3\n'],
  ])('do not open %s, whatever it is said to be', async (_, text) => {
    expect((await read('image/png', Buffer.from(text))).found).toEqual(nothing);
  });
});
