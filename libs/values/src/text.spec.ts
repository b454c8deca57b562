import { describe, expect, test } from '@jest/globals';
import { isStorableText, toStorableText } from './text.js';

describe('toStorableText', () => {
  test.each([
    ['a\u0000b', 'ab'],
    ['a\ud800b', 'a\ufffdb'],
    ['\udc00', '\ufffd'],
    ['😀 e\u0301', '😀 e\u0301'],
  ])('converts %j to %j', (text, storable) => {
    expect(toStorableText(text)).toBe(storable);
    expect(isStorableText(storable)).toBe(true);
  });
});
