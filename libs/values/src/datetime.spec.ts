import { describe, expect, test } from '@jest/globals';
import { datetimeFromColumn, normaliseDatetime, normaliseSeedDatetime } from './datetime.js';

describe('datetime rules', () => {
  test.each([
    ['2025-01-24T12:00:00Z', '2025-01-24T12:00:00.000Z'],
    ['2025-01-24T13:00:00+01:00', '2025-01-24T12:00:00.000Z'],
    ['2025-01-24T12:00Z', '2025-01-24T12:00:00.000Z'],
    ['2025-01-24T12:00:00.123987Z', '2025-01-24T12:00:00.123Z'],
    ['2025-01-24T12:00:00.1239Z', '2025-01-24T12:00:00.123Z'],
    ['2025-01-24T12:00:00.5Z', '2025-01-24T12:00:00.500Z'],
    ['1969-12-31T23:59:59-00:30', '1970-01-01T00:29:59.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('store %s as %s', (sent, stored) => {
    expect(normaliseDatetime(sent)).toBe(stored);
    expect(normaliseSeedDatetime(sent)).toBe(stored);
  });

  test.each([
    '2025-01-24T12:00:00+0100',
    '2025-01-24T12:00:00+24:00',
    '2025-01-24T12:00:00z',
    '2025-02-30T12:00:00Z',
    '2025-02-29T12:00:00Z',
    '2025-13-01T12:00:00Z',
    '2025-00-10T12:00:00Z',
    '2025-01-24T24:00:00Z',
    '2025-01-24T12:60:00Z',
    '2025-01-24T12:00:60Z',
    '2025-01-24T12:00:00,5Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '+12025-01-24T12:00:00Z',
    ' 2025-01-24T12:00:00Z',
    '1737720000',
    '',
  ])('reject %j everywhere', (sent) => {
    expect(normaliseDatetime(sent)).toBeNull();
    expect(normaliseSeedDatetime(sent)).toBeNull();
  });

  test.each([
    ['2025-01-24', '2025-01-24T00:00:00.000Z'],
    ['2025-01-24T12:00:00', '2025-01-24T12:00:00.000Z'],
    ['2025-01-24 12:00:00', '2025-01-24T12:00:00.000Z'],
    ['2025-01-24 12:00:00Z', '2025-01-24T12:00:00.000Z'],
  ])('reject %s through the API; a seed reads it as UTC: %s', (sent, stored) => {
    expect(normaliseDatetime(sent)).toBeNull();
    expect(normaliseSeedDatetime(sent)).toBe(stored);
  });

  test.each([
    [new Date('2025-01-24T12:00:00.123Z'), '2025-01-24T12:00:00.123Z'],
    ['2025-01-24 12:00:00.12+00', '2025-01-24T12:00:00.120Z'],
    ['2025-01-24 13:30:00+01:30', '2025-01-24T12:00:00.000Z'],
    ['0001-06-01 00:53:28+00:53:28', '0001-06-01T00:00:00.000Z'],
    ['2025-01-24T12:00:00.123Z', '2025-01-24T12:00:00.123Z'],
  ])('read a column with %s as %s', (dbValue, value) => {
    expect(datetimeFromColumn(dbValue)).toBe(value);
  });

  test.each([5, null, 'infinity'])('throw for a column with %j', (dbValue) => {
    expect(() => datetimeFromColumn(dbValue)).toThrow(TypeError);
  });
});
