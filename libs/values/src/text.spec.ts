import { describe, expect, it } from '@jest/globals';
import { truncateText } from './index.js';

describe('truncateText', () => {
  it.each([
    ['abc', 5, 'abc'],
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    ['a😀b', 2, 'a'],
    ['a😀b', 3, 'a😀'],
    ['', 0, ''],
  ])('cuts %j at %i', (text, maxLength, cut) => {
    expect(truncateText(text, maxLength)).toBe(cut);
  });
});
