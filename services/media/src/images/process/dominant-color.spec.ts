import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { dominantColorOf } from './dominant-color.js';

const pixel = (red: number, green: number, blue: number) => [red, green, blue, 255];

describe('dominantColorOf', () => {
  it.each([
    ['one colour', [pixel(10, 200, 30)], '#08c818'],
    ['black and white', [pixel(0, 0, 0), pixel(255, 255, 255), pixel(255, 255, 255)], '#f8f8f8'],
    [
      'shades of a colour, which count together',
      [pixel(0, 0, 255), pixel(0, 0, 255), pixel(160, 0, 0), pixel(165, 5, 0), pixel(170, 9, 0)],
      '#a80808',
    ],
  ])('returns the middle of the most frequent range of %s', (_, pixels, color) => {
    expect(dominantColorOf(Uint8Array.from(pixels.flat()))).toBe(color);
  });

  it('is the dominant colour of the statistics of sharp', async () => {
    const side = 24;
    const pixels = Array.from({ length: side ** 2 }, (_, index) =>
      index % 3 === 0 ? pixel(index % 256, 90, 40) : pixel(index % 16, 130, 250),
    );
    const data = Uint8Array.from(pixels.flat());
    const { dominant } = await sharp(data, { raw: { width: side, height: side, channels: 4 } }).stats();
    const { r, g, b } = dominant;
    const hex = [r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('');
    expect(dominantColorOf(data)).toBe(`#${hex}`);
  });
});
