import { describe, expect, it } from '@jest/globals';
import { readNumber, writeNumber } from './number-text.js';

describe('readNumber', () => {
  it.each<[string, string, unknown]>([
    ['12', 'en', 12],
    [' -3.5 ', 'en', -3.5],
    ['12,5', 'de', 12.5],
    ['12.5', 'de', 12.5],
    ['1 234', 'de', 1234],
    ['1\u202f234,5', 'fr', 1234.5],
    ['\u22124', 'en', -4],
    ['1e3', 'en', 1000],
    ['.5', 'en', 0.5],
    ['', 'en', null],
    ['  ', 'en', null],
  ])('reads %j in %s', (text, locale, expected) => {
    expect(readNumber(text, locale)).toBe(expected);
  });

  it.each([
    ['12 apples', 'en'],
    ['1,234.5', 'en'],
    ['12,5', 'en'],
    ['0x10', 'en'],
    ['1e999', 'en'],
    ['-', 'en'],
    ['Infinity', 'en'],
  ])('keeps %j in %s, which is no number', (text, locale) => {
    expect(readNumber(text, locale)).toBe(text);
  });
});

describe('writeNumber', () => {
  it.each<[unknown, string, string]>([
    [12.5, 'en', '12.5'],
    [12.5, 'de', '12,5'],
    [1234567, 'de', '1234567'],
    [-0.1, 'en', '-0.1'],
    ['12 apples', 'en', '12 apples'],
    [null, 'en', ''],
  ])('writes %j in %s', (value, locale, expected) => {
    expect(writeNumber(value, locale)).toBe(expected);
  });

  it.each(['en', 'de', 'fr'])('writes what is read again in %s', (locale) => {
    for (const value of [0, -1, 0.1, 1e21, 1e-7, 123456.789])
      expect(readNumber(writeNumber(value, locale), locale)).toBe(value);
  });
});
