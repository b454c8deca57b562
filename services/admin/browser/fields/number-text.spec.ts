import { describe, expect, it } from '@jest/globals';
import { isAmbiguous, readNumber, writeNumber } from './number-text.js';

describe('readNumber', () => {
  it.each([
    ['en', '12', 12],
    ['en', '12.50', 12.5],
    ['en', '.5', 0.5],
    ['en', '5.', 5],
    ['en', '-3', -3],
    ['en', '+3', 3],
    ['en', '\u22123', -3],
    ['en', ' 7 ', 7],
    ['en', '1e3', 1000],
    ['en', '1 000 000', 1_000_000],
    ['de', '12,5', 12.5],
    ['de', '12.5', 12.5],
    ['de', ',5', 0.5],
    ['de', '-0,25', -0.25],
    ['de', '1\u00a0000,5', 1000.5],
    ['de', '1\u202f000', 1000],
  ])('%s: reads %j as %d', (locale, text, value) => {
    expect(readNumber(text, locale)).toBe(value);
  });

  it.each([
    ['en', '12 apples'],
    ['en', '-'],
    ['en', '1e'],
    ['en', '1,000'],
    ['en', '1 2'],
    ['en', '1.2.3'],
    ['en', '0x10'],
    ['en', 'Infinity'],
    ['en', '1e999'],
    ['de', '1.000,5'],
    ['de', '1,2,3'],
  ])('%s: keeps %j as it was typed', (locale, text) => {
    expect(readNumber(text, locale)).toBe(text);
  });

  it('is null for an empty text', () => {
    expect(readNumber('', 'en')).toBeNull();
    expect(readNumber('  ', 'de')).toBeNull();
  });

  it('has no negative zero, which JSON does not have', () => {
    expect(Object.is(readNumber('-0', 'en'), 0)).toBe(true);
  });
});

describe('writeNumber', () => {
  it.each([
    ['en', 12.5, '12.5'],
    ['de', 12.5, '12,5'],
    ['de', 1_234_567, '1234567'],
    ['en', 0.1 + 0.2, '0.30000000000000004'],
    ['de', 1e21, '1e+21'],
    ['en', '12 apples', '12 apples'],
    ['en', null, ''],
    ['en', undefined, ''],
    ['en', true, 'true'],
    ['en', [1], '[1]'],
  ])('%s: writes %j as %j', (locale, value, text) => {
    expect(writeNumber(value, locale)).toBe(text);
  });

  it.each(['en', 'de'])('%s: is the reverse of readNumber', (locale) => {
    for (const value of [0, -1, 0.001, 123_456.789, Number.MAX_SAFE_INTEGER, 5e-324, 1.7e308, 1e21])
      expect(readNumber(writeNumber(value, locale), locale)).toBe(value);
  });
});

it('isAmbiguous is true for a point that may be one of thousands', () => {
  expect(isAmbiguous('1.000', 'de')).toBe(true);
  expect(isAmbiguous('-12.345', 'de')).toBe(true);
  expect(isAmbiguous('1.0', 'de')).toBe(false);
  expect(isAmbiguous('1234.000', 'de')).toBe(false);
  expect(isAmbiguous('1.000', 'en')).toBe(false);
});
