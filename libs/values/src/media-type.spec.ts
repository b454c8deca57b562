import { describe, expect, it } from '@jest/globals';
import { parseMediaType } from './media-type.js';

describe('parseMediaType', () => {
  it.each([
    ['IMAGE/PNG', 'image/png'],
    ['image/jpg', 'image/jpeg'],
    [' text/plain; charset=utf-8', 'text/plain'],
    ['image', undefined],
    ['', undefined],
    ['image/*', undefined],
    ['image/png\r\nx: y', undefined],
  ])('%j is %s', (text, type) => {
    expect(parseMediaType(text)).toBe(type);
  });
});
